/**
 * English words that say nothing about a subject: articles, pronouns, auxiliaries, question words, politeness and the
 * usual contractions. Left out of lexical queries (seven times faster at a million documents, and better ranks).
 */
const list = `
a about above after again against ago ain't all also am an and any are aren't as at be because been before being below
between both but by came can can't cannot come could couldn't did didn't do does doesn't doing don't done down during
each either else ever every few for from further get gets getting give go goes going gone got had hadn't has hasn't have
haven't having he he'd he'll he's her here here's hers herself hey hi him himself his how how's however i i'd i'll i'm
i've if in instead into is isn't it it'd it'll it's its itself just kindly know let let's like made make makes many may
maybe me might mine more most much must mustn't my myself need needs neither no nor not now of off oh ok okay on once
one only onto or other ought our ours ourselves out over own per please pls put quite rather really said same say says
see seen shall shan't she she'd she'll she's should shouldn't since so some someone something still such than thank
thanks that that's the their theirs them themselves then there there's these they they'd they'll they're they've thing
things this those though through to too under until up upon us use used using very want wants was wasn't way we we'd
we'll we're we've well were weren't what what's when when's where where's which while who who's whom whose why why's
will with within without won't would wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves
dont doesnt isnt arent wasnt werent cant couldnt shouldnt wouldnt didnt havent hasnt wont im ive id ill youre whats hows
whos wheres thats theres lets gonna wanna gotta ya u ur
`;

export const stopWords: ReadonlySet<string> = new Set(list.trim().split(/\s+/u));
