/**
 * The phrases by which English-speaking developers state rules, decisions, values and facts, and those that only look
 * like it. Every pattern is anchored or bounded, so that testing stays linear.
 */

/** Nothing but talk. */
export const smallTalk =
  /^(?:never ?mind\b|brb\b|bbl\b|afk\b|back (?:to \p{L}+ )?in (?:\d|an?\b|half|one|two|five|ten)|see you|good night|bye\b|thank|no problem|you'?re welcome|go on\b|continue\b|carry on|one (?:sec|moment)|gimme a|give me a (?:sec|minute)|bear with me|what a (?:day|week|mess)|happy \p{L}+day|good (?:night|evening))|\bbear with me\b|^(?:i'?m|im|i am) (?:back|tired|done|off|out|hungry|lost|confused|stuck|sure|not sure|afraid|getting|going|leaving|heading|trying|looking|seeing|wondering|thinking|debugging|running|working on|in (?!charge\b))\b/iu;

export const question =
  /^(?!do (?:it|this|that)\b)(?:since when\b|shall (?:we|i)\b|whose\b|what(?:'?s| is| are| was| do| does| did| would| should| about| if| happens| went)?\b(?! we\b| i\b)|why\b|how(?:'?s)? (?:do|does|did|can|could|would|should|is|are|was|come|about|much|many|long|often|to|far|big|old)\b|(?:who|where|when|which)(?:'?s| is| are| do| does| did| was| were| can| will| should| has| have| would| one)\b|(?:is|are|was|were|do|does|did|has|have|isn'?t|aren'?t|doesn'?t|didn'?t|should|shouldn'?t|would|wouldn'?t|am|any) (?:it|there|this|that|these|those|the|we|you|i|they|our|my|he|she|someone|anyone|chance|idea)\b|(?:can|could|would|will) (?:you|we|i|it|this|that|the)\b)/i;

/** "can you (please) …": a request, whatever its mark. */
export const request =
  /^(?:(?:can|could|would|will) (?:you|we) (?:please |pls |also |now |just )*|(?:please|pls|now|then|just|also|next|first|again)[, ]+|i(?:'d| would) like you to |i (?:want|need) you to |go ahead and |let'?s |lets |you (?:can|should|could|may) |time to |we (?:should|need to|have to|can) (?:now |also )?)+/i;

/** Verbs that order work. */
export const task =
  /^(?:(?:re)?(?:run|build|start|test|write|try|generate|load|name|open|check|install|base|format|order|create|do|think|make|factor|visit|read|use that|use this|use it|use (?:a|an|the|your|some) (?:sub-?agents?|tools?|skills?|mcp|browser|terminal|web search))|add|show|fix|look|find|search|grep|list|commit|push|pull|merge|delete|remove|implement|refactor|update|upgrade|explain|summari[sz]e|describe|tell|give|go|continue|retry|revert|undo|roll|lint|print|log|debug|investigate|clean|document|review|port|convert|migrate|replace|extract|split|inline|copy|tidy|help|draft|wire|hook|cover|see|apply|take|get|fetch|download|clone|deploy|ship|release|publish|bring|compare|verify|ensure|confirm|measure|profile|benchmark|finish|complete|proceed|send|post|close|mark|turn|translate|sort|rewrite|figure|have a look|double.?check|dig|trace|reproduce|simplify|optimi[sz]e|improve|handle|support|expose|introduce|inspect|ask|answer|stop|kill|wait|skip|ignore that|ignore this|walk me|guide|plan|prepare|save|sketch|propose|suggest|pick|edit|adjust|adapt|configure|set up|setup|enable|disable|scaffold|bootstrap|squash|cherry.?pick|rename|reformat|move|put|point|change|switch|bump|leave)\b(?!-\p{L})/iu;

/** An order meant for this once. */
export const onceOnly =
  /\b(?:this time|for now only|just this once|just once|right now|for the moment|today|yet|tonight|this (?:one|commit|file|line|test|function|branch|pr|session|task|step|time))\b|\b(?:that|it|this|them) (?:yet|again|now)\b/i;

export const remember =
  /^(?:(?:please|pls|plz|and|also|but|so|oh|just|you (?:should|must|need to)|i want you to|i need you to|can you|could you) )*(?:remember\b|don'?t forget\b|do not forget\b|never forget\b|keep in mind\b|bear in mind\b|make a note\b|memori[sz]e\b|note for (?:the )?future\b)/i;
export const notRemember =
  /\b(?:remember (?:when\b|how (?:we|you|i)\b|the (?:time|day|good)|me\b|us\b|last (?:time|week|year))|(?:remember|forget|mind) (?:to )?(?:breathe|eat|drink|sleep|relax|smile|rest|blink|hydrate|stretch|take (?:a )?breaks?|have fun|be kind|enjoy|your (?:lunch|coat|keys))|don'?t forget (?:me|about me|lunch|your))\b/i;
export const rememberLabel =
  /^(?:please )?(?:remember|remember this|remember that|don'?t forget|keep in mind|please remember|note for future|from now on|going forward|for (?:the )?(?:next time|future|later)|in (?:the )?future|next time)$/i;

/** Habits and complaints that sound like rules. */
export const idle =
  /^(?:(?:i|you|we|it|he|she|they|that|this|he's|it's) (?:\w+ )?(?:always|never|keep|kept|usually|often) (?!use|want|prefer|run|write|commit|squash|rebase|deploy|store|keep|name|put|do|go|need|work (?:in|on|with|from))|i (?:keep|kept) \w+ing|i always (?:forget|mix|confuse|wonder|get|have to|end up|do that|thought)|(?:you|it|this|that) (?:always|never|keeps?))/i;

export const self =
  /^(?:hey,? |hi,? )?(?:(?:i'?m|i am) (?:an? (?:[\w-]+ ){0,4}(?:engineer|developer|dev|designer|manager|lead|architect|scientist|student|researcher|analyst|admin|sre|contractor|freelancer|founder|cto|beginner|maintainer|consultant|programmer|owner|tester|writer)\b|the (?:[\w-]+ ){0,4}(?:engineer|developer|dev|designer|manager|lead|architect|scientist|student|researcher|analyst|admin|sre|contractor|freelancer|founder|cto|beginner|maintainer|consultant|programmer|owner|tester|writer)\b|[\p{L}-]{2,20}(?: [\p{L}-]{2,20})?, (?:(?:an?|the|your|our) )?(?:[\w-]+ ){0,4}(?:engineer|developer|dev|designer|manager|lead|architect|scientist|student|researcher|analyst|admin|sre|contractor|freelancer|founder|cto|beginner|maintainer|consultant|programmer|owner|tester|writer)\b|based in|from \p{L}|working (?:at|for|as)|colou?r ?blind|left.?handed|new to|responsible for|dyslexic|deaf|in charge of)|my name(?:'s| is)\b|my (?:role|job|title|time ?zone|pronouns|native language|first language|background|editor|shell|os|machine|laptop|keyboard|working hours|office hours|email|github|handle)\b[^.?!]{0,30}(?: is| are|'s)\b|i (?:work (?:as|at|for|in|on the|from|with)|live in|sit in|lead|manage|maintain|own|speak|code in|come from|grew up|use (?:vim|neovim|emacs|vscode|vs code|a mac|macos|linux|windows|zsh|fish|dvorak))\b|call me \p{L}|you can call me)/iu;
/** "I'm Nadia": only a capital tells a name from a mood. */
export const selfName = /^(?:[Hh]ey,? |[Hh]i,? )?(?:[Ii]'?m|[Ii] am) \p{Lu}\p{Ll}{1,20}\b/u;
export const notSelf = /^(?:i'?m|i am) (?:the one who|from what|new here\?)/i;

export const fromNowOn =
  /\b(?:from (?:now|here|today) on(?:wards?)?|from this point on|going forward|in (?:the )?future,? (?:please |always |never )?\p{L}+|for all future|^next time,? \p{L}+ \p{L}+|^(?!see\b|until\b|till\b|better luck\b|.{0,30}\b(?:it|that|this)\b)\p{L}+ \p{L}+(?: \p{L}+){0,4} next time(?=$|[,.])|henceforth|as a rule|every time you|each time you|any ?time you|whenever you|when(?:ever)? you (?:write|change|add|commit|create|make|edit|fix|answer|explain|refactor|touch|open|name|propose|suggest|see|find|review|finish|start|generate|update|delete|rename|show|use))\b/iu;
export const prefer =
  /\bi(?:'d| would)?(?: (?:really|strongly|much|generally|usually|always|also))? (?:prefer|rather have|would rather|hate|dislike|can'?t stand|am allergic to)\b(?! (?:that this|this|when this|it when it))/i;
export const like =
  /^(?:(?:personally|generally),? )?i(?:'d)? (?:really |usually |always )?(?:like|love|want|need|don'?t (?:like|want)|do not (?:like|want)|care about|value|appreciate|skim|read)\b/i;
export const notLike =
  /^i(?:'d)? (?:really )?(?:like|love|want|need|don'?t want) (?:to\b|you to (?!always|never)|it\b|that\b|this\b|them\b|a (?:test|function|script|new|quick|list|way|button|page|file|job|metric|class|component|helper|plan|summary)\b|the (?:test|function|script|list|button|page|file|diff|output|logs?)\b)|^i need\b(?!.*\b(?:always|every|never)\b)|^i read\b(?!.*\b(?:always|every|never|only)\b)/i;

/** How the user wants to be answered and how commits, dates and the like are to look. */
export const style =
  /\b(?:indent(?:ation)?|(?:single|double) quotes|semis|semicolons|trailing commas?|line (?:length|width)|named exports?|default exports?|tabs|spaces|camel ?case|snake_case|kebab.?case)\b[^.?!]{0,60}\b(?:indent|quotes|semis|semicolons|commas?|tabs|spaces|case|exports?|\d{1,3}|only|no|always)\b|\b(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|messages?|commits?|commit messages?|dates?|timestamps?|comments?|docstrings?|variable names?|branch(?:es| names?)|pr (?:titles?|descriptions?)|emojis?|bullets?|bullet (?:points?|lists?))\b[^.?!]{0,60}(?<!getting |too |so |very )\b(?:short|shorter|brief|concise|terse|long|detailed|in (?:english|german|french|spanish|portuguese|italian|polish|dutch|japanese|markdown|utc|present tense|imperative|past tense)|iso|utc|as \d{4}|conventional|lower.?case|max(?:imum)? \d|at most|no more than|without|only)\b|\b(?:keep|write|give|make|answer|reply|respond|explain|talk|speak)\b(?: me)? (?:\p{L}+ ){0,4}(?:short|shorter|brief|briefly|concise|terse|simple|step by step|in detail|the why|the reasoning|in (?:english|german|french|spanish|portuguese|italian|polish|dutch|japanese|plain))\b|\bconventional commits\b|\b(?:less|fewer|shorter) (?:explanations?|details?|talk|words|prose)\b|\b(?:explain|answer|describe) (?:\p{L}+ ){0,3}in depth\b|\bno (?:emojis?|bullet|bullets|fluff|filler|preamble|co-?author|comments|apologies|small talk|headings|markdown)\b|^(?:be|stay) (?:brief|concise|terse|short|blunt|direct|verbose)\b/iu;

/** "i don't want you to touch the db": an order in the shape of a wish. */
export const unwanted =
  /^(?:and |but |also |so )*i (?:don'?t|dont|do not|never) want (?:you to|to see (?:any|another|more))\b(?!.{0,60}\b(?:now|yet|today|again)\b)/i;

export const alwaysOrNever =
  /(?:^|[,;:.(] ?|\b(?:and|but|so|then|please|pls|plz|should|must|shall|will|we|you|they|to|agent|assistant|is|are|be|here|i want|i'd) )(?:always|never)\s+\p{L}+|^(?:the |all |our |my )?[\p{L}-]+(?: [\p{L}-]+){0,2} (?:always|never) (?:[\p{Lu}\d]|in|as|on|at|with|via|through|from|under|by|go|be|lower|upper|snake|camel|kebab|first|last)/iu;
/** Not orders: "it always fails", "I never liked it", "as always", "don't always …", "not always". */
export const notAlways =
  /\bi swear\b|\bill (?:always|never)\b|\b(?:don'?t|do not|not|doesn'?t|does not|didn'?t|won'?t|isn'?t|aren'?t|can'?t) (?:\w+ )?(?:always|never)\b|\b(?:as|like) always\b|\b(?:i|he|she|it|that|this|they|you|which|who|there|people|nobody|one)(?:'ve|'s|'d|'ll| have| has| had| will| would| was| is| are| were)? (?:always|never)\b(?! (?:use|want|prefer|run|squash|rebase|commit|deploy|merge)\b)|\b(?:always|never) (?:fails?|failed|works?|worked|forgets?|breaks?|broke|happens?|happened|crashe?s?|gets?|got|wrong|been|was|were|had|has|seen|liked|knew|heard|understood|mind|ending|ends)\b|\bnever ?mind\b|\bwe(?:'ve| have| had)? (?:always|never) (?:\w+ed|had|been|was|knew|got|seen|did|thought)\b|\balways a\b|\b(?:was|were) (?:always|never)\b|\bnever (?:the|an?|thought|expected|imagined|reali[sz]ed|noticed|saw|used to|tried|understood|knew|felt|looked) ?\p{L}*/iu;

export const prohibition =
  /^(?:please |pls |and |also )*(?:don'?t|dont|do not|never|avoid|refrain from)\s+\p{L}+|^(?:please |pls |and |also )*stop \w+ing\b|\b(?:don'?t|dont|do not) (?:add|use|touch|commit|push|extend|mock|edit|change|put|write|import|call|deploy|merge|rebase|rename|import|hardcode|create|install|log|store|port|skip|squash|force.?push|reformat|refactor|generate|introduce)\b|(?:^|, |^(?:since|after|until|till|during|from|in|on|for|before) (?:[\p{L}\p{N}:.-]+ ){1,6}?)no (?:more )?[\p{L}_-]+(?: [\p{L}_-]+){0,3} (?:ever|at all|any ?more|after|before|on|in|without|for|outside|from|unless|until|anywhere|please)\b|\bwe (?:don'?t|dont|do not|never) (?:do|use|ship|commit|deploy|support|allow|want|merge|store|log|write|test|mock|expose|cache|share|keep|touch|edit|version|pin)\b|\b(?:must not|mustn'?t|may not|not allowed|forbidden|off.?limits|not permitted|banned|prohibited|is a no.?go|(?:is|are) not to (?:be )?\p{L}+)\b|^(?:from|until|till|during|between) .{2,40}? no [\p{L}-]+(?: [\p{L}-]+){0,2}(?:$|,)|^no (?:new |default |more )?[\p{L}-]{3,}s?(?: [\p{L}-]{3,}){1,2}(?:$|,)/iu;
export const notProhibition =
  /^(?:please |pls |and |also )*(?:don'?t|dont|do not|never) (?:worry|bother|know|think|see|understand|get|care|mind|remember|have|need|want|like|believe|recall|feel|stop|panic|ask (?:me why|why|how|him|her|them)|wait|give up|thought|expected|imagined|reali[sz]ed|noticed|saw|tried|understood|knew|heard|liked|had|been|was|works?|fails?|mind|be\b|you\b|we\b|they\b|i\b|do (?:that|it|this|anything)\b|\w+ (?:it|that|this|them|anything|yet)(?:\s|$|,))|^no (?:idea|problem|need|worries|clue|luck|way|wonder|rush|hurry|change|changes|difference|reason|one|result|results|output|error|errors|such|longer|stop|go|dice|thanks|time|joy|diff|effect|response|luck|big|real|obvious|good|matter|comment|need|chance)\b|^stop (?:running|looking|working|trying|thinking|talking|it)\b|\bi (?:don'?t|dont|do not)\b|\bwe (?:don'?t|dont|do not) (?:know|have|need|think|want to|care|see|do (?:that|this|it))\b/i;

/** Rules of a codebase: obligation, scope words, "new X go through Y". */
export const standingRule =
  /^(?:keep|stay) .{2,40} (?:under|below|above|within|at most|at least|between|smaller than|shorter than) \d|\b(?:must|has to|have to|ought to|needs? to|should)\b(?: (?:always|never|only|all|be|come|go|use|have|live|match|stay|pass|follow|start|end|return|run|carry|include|contain))\b|\b(?:must)\b|\b(?:is|are) (?:required|mandatory|compulsory|read.?only|frozen|deprecated)\b|\b(?:all|every|any|each) (?:new )?[\p{L}-]+(?: [\p{L}-]+){0,3} (?:must|should|goes?|go through|go in|has|have|needs?|are|is|gets?|uses?|run|runs|live|lives|require|requires)\b|\bnew [\p{L}-]+(?: [\p{L}-]+){0,2} (?:go|goes|are|must|should|use|live|get|need)\b|^only [\p{L}-]+ (?:may|can|should|must|merges?|deploys?|approves?|touches|writes?|reads?)\b|\b(?:before|after|on|for) (?:every|each|any) (?:commit|push|merge|release|deploy|pr|pull request|change|migration|build)\b|\b(?:needed|required|mandatory|necessary) (?:for|in|on|before|by|to)\b|\S \d[\d.]*\+? only\b|\b(?:is|are) (?:the )?(?:default|fallback|standard|source of truth|single source)\b|\b(?:is|are) (?:\p{L}+ )?(?:based )?(?:everywhere|read.?only|by default|per \p{L}+)\b|\bno exceptions\b|\S+ only (?:in|on|for|at|when|if|from|to|via) \p{L}|^(?!(?:it|this|that|they|there|i|we|you|he|she)\b)\p{L}+ .{1,40}[\s,]not (?:by|with|in|on|to|via|from|into|as|the) \S+|\bmake sure (?:that )?(?:all|every|any|new|we|you) .{0,40}\b(?:always|never|every)\b|\bis (?:now )?(?:a |part of the |on the )?(?:pr |review |release )?checklist\b/iu;

export const reported =
  /\b(?:the )?(?:docs?|documentation|readme|manual|book|article|blog|post|comment|linter|compiler|error|log|logs|output|message|website|page|internet|chatgpt|copilot|tutorial|tool|it|he|she|they|someone|user|customer|merchant|client|reporter|ticket)(?: \w+ing| in [\p{L} ]{1,30})? (?:says?|said|tells?|told|claims?|claimed|complains?|complained|reports?|reported|suggests?|suggested|recommends?|still says?|prints?|shows?|showed)\b/iu;

export const maybe =
  /\b(?:maybe|perhaps|might|what if|i wonder|not sure|probably|possibly|thinking (?:of|about)|considering|would be nice|could be|i guess|i suppose|i think (?:we|you|it|that)?|i believe|no idea|if only|hopefully|would it|could it|shouldn'?t we|should we|wouldn'?t|seems?|looks like|apparently|one day|some day|suppose|imagine|let me think|hypothetically)\b|^(?:so |and |but )?if (?:we|i|you) \p{L}+ (?!want|need|run)/iu;

export const decided =
  /\b(?:(?:we|i|they|the team|team|\p{Lu}\p{L}+ and i)(?:'ve| have| had)?(?: (?:now|just|finally|already|also|both|all))? (?:decided|agreed|settled|chose|opted|picked|voted|went with|committed to)|(?:was|were|is|are|been) decided|(?:i|we) (?:hereby )?decide\b(?! (?:if|whether|later|on it))|architecture decision|let'?s go with|lets go with|let us go with|let'?s stick (?:with|to)|lets stick (?:with|to)|final decision|decision is|decision:)\b/iu;
export const leisure =
  /\b(?:pizza|lunch|dinner|breakfast|brunch|ramen|sushi|burgers?|tacos?|curry|pasta|kebab|salad|sandwich(?:es)?|beers?|drinks|coffee|tea|wine|cake|movie|film|netflix|concert|football|bowling|karaoke|gym|holiday|vacation|hike|party|thai|indian food|chinese food|takeaway|takeout|restaurant|pub|watch|party|celebrate|bbq|barbecue)\b(?! (?:api|service|app|repo|bucket|job|table|db|database|module|client|team|pipeline|endpoint))/i;

export const technique =
  /\b(?:the trick (?:is|here|was)|this pattern|the pattern (?:here |we use |is)|the way (?:to do (?:this|that|it)|we do (?:this|that|it)) (?:is|here)|rule of thumb|what works is|the recipe is)\b/i;

export const cause =
  /^bug was\b|\b(?:root cause|the (?:real |actual |underlying )?(?:bug|issue|problem|culprit|fault|cause|reason|error) (?:was|is|turned out|turns out)|turns out\b|turned out (?:that |to be |the |it |it's |its |we |our )|(?:was|were|is|are) caused by|it was (?:the|a|an) .{3,60} that (?:caused|broke))\b/i;

/** "the tokens are counted twice because the middleware is registered twice": a cause in the user's words. */
export const becauseOf =
  /^(?!.{3,80} (?:now|instead|any ?more) because)(?!(?:i|you|we|it|they|this|that|there|he|she|what|if|when|can|could|should|would|maybe)\b)\S+ .{8,120} because .{8,200}/i;
export const naming =
  /^(?:(?:please|pls|and|let'?s|lets|we|just) )*(?:call|name|label|tag) (?:it|them|that|this|the [\p{L} -]{2,30}) [`"']?(?=\S*[\p{L}\p{N}]\S*[_\-./A-Z\d])[\p{L}\p{N}_./-]{3,60}/iu;

export const changeVerb =
  /^(?:(?:please|pls|and|now|then|just|also|we|let'?s|lets) )*(?:bump|set|put|raise|lower|increase|decrease|reduce|move|change|switch|make (?:it|that|them|this)|pin|cap|limit|schedule|reschedule|extend|shorten|double|halve|keep|leave|default|drop|upgrade|downgrade|update|turn (?:up|down)|allow|use|give|scale|restrict|tighten|relax|push)\b(?= \S)/i;
/** Counts of things in hand are not settings: "move line 40", "show 3 files". */
export const notAValue =
  /\b(?:lines?|rows?|steps?|pages?|commits?|files?|functions?|occurrences|tests?|cases?|examples?|errors?|warnings?|tabs?|columns?|paragraphs?|sentences?|todos?|times|places|snippets?|branches|pr|prs|issues?|tickets?|questions?|options?|items? on|words|typos?) (?:#?\d+)\b(?! ?(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|%|[kmg]i?b)\b)|\b(?:\d+|one|two|three|four|five|a few|both|all|the last|the first|last|first) (?:lines?|rows?|steps?|pages?|commits?|files?|functions?|occurrences|tests?|cases?|examples?|errors?|warnings?|places|options?|words|more|things|sentences|paragraphs)\b|\b\d+ ?(?:px|pt|rem|em)\b|\binto (?:two|three|four|\d) |\bup to date\b|\bhttp \d{3}\b|\b(?:return|returns|status|expect|be) an? \d{3}\b/i;
export const comparison = /\b(?:compare|difference between|versus|vs\.?)\b/i;
export const settable =
  /\bto (?:[a-z]{2}-[a-z]{4,12}-\d|#[\p{L}\p{N}_-]+|true|false|on|off|strict|debug|info|warn|error|none|weekly|daily|hourly|nightly|monthly|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b/iu;
export const verblessChange =
  /^(?:the |our )?[\p{L}][\p{L}\p{N}_.-]*(?: [\p{L}][\p{L}\p{N}_.-]*){0,3} (?:can|may|should|must|needs to|has to) be (?:[\p{L}]+ ){0,2}\d[\d.,:]*[\p{L}%]{0,3}|^[\p{L}][\p{L}\p{N}_.-]*(?: [\p{L}][\p{L}\p{N}_.-]*){0,2} (?:(?:every|at|max|min) )?\d[\d.,:]* ?(?:ms|s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|weeks?|months?|years?|%|[kmg]i?b|am|pm)(?= |$|,)|^[\p{L}][\p{L}\p{N}_.-]*(?: [\p{L}][\p{L}\p{N}_.-]*){0,3} \d[\d.,:]*[\p{L}%]{0,3} (?:->|→) \d[\d.,:]*[\p{L}%]{0,3}|^(?:run|start|trigger|fire|kick off|execute) .{1,40} (?:at|every) \d[\d.,:]*|^[\p{L}][\p{L}\p{N}_.-]*(?: [\p{L}][\p{L}\p{N}_.-]*){0,3} (?:to|->|→|=) (?:(?:[\p{L}]+ ){0,1}[$€£]?\d[\p{L}\p{N}:.,%]*|#[\p{L}\p{N}_-]+|[a-z][a-z0-9]{1,9}:\/\/\S+)|^[$€£]?\d[\d.,:]*[\p{L}%]{0,3}(?: \p{L}+){0,1} (?:works|is (?:fine|enough|ok|plenty|better|safe|the max(?:imum)?)|instead|it is)(?:$|,)/iu;

/** A choice made for the project. */
export const choice =
  /^[\p{L}][\p{L}\p{N}_.@-]{1,30} (?:->|→|=>) [\p{L}][\p{L}\p{N}_.@-]{1,30}(?=$|[ ,.])|^(?:(?:we|we'?re|let'?s|lets|i'?m|so|now|go|going|and) )*back (?:to|on) (?!(?:it|you|this|that|work|normal|topic|the (?:task|topic|point|code|tests?)|my|your)\b)\S+(?: \S+){0,2} (?:for|in|as|instead|then|again)\b|^\S+ (?:is )?out, \S+ (?:is )?in$|^\S+(?: \S+){0,2} now (?!is\b|are\b)\p{Ll}{3,}s (?:the|all|our|every)\b|^(?:(?:please|pls|and|so|ok|now|then|we|let'?s|lets|we'?re|we'?ll|we are|we will|i|i'?m|they|just) )*(?:(?:now |also |all |both |finally |just )?(?:mov(?:e|ed|ing) (?:\S+ ){0,4}(?:off|away from)|switch(?:ed|ing)?(?: \S+){0,4} (?:to|from|over|away)|migrat(?:e|ed|ing)(?: \S+){0,4} (?:off|away)|standardi[sz](?:e|ed|ing) on|stick(?:ing)? (?:with|to)|stay(?:ing)? (?:on|with)|go(?:ing)? with|went with|went from \S+ to|drop(?:ped|ping)?(?! (?:the (?:column|table|line|index|file|branch|comment|test|import)|that|this|it|me|a)\b)|ditch(?:ed|ing)?|retir(?:e|ed|ing)|adopt(?:ed|ing)?|deprecat(?:e|ed|ing)|sunset(?:ting)?|abandon(?:ed|ing)?|kill(?:ed|ing)? off|got rid of|get(?:ting)? rid of|freez(?:e|ing)|froze|gave up on|give up on|done with|off) (?=\S))|^(?:so |ok |and |then )*(?:we|they|let'?s|we'?re|we'?ll|i) (?:\w+ ){0,2}(?:mov(?:e|ed|ing)|migrat(?:e|ed|ing)|port(?:ed|ing)?|convert(?:ed|ing)?|rewrote|switched) (?:\S+ ){0,5}(?:to|over to|onto|from)\b|\blet'?s (?:use|keep|make it the|do) (?!(?:a|an|this|that|it) \w+$)\S+ .{0,40}\b(?:for|instead|then|from|as|everywhere|standard|default)\b|^(?:replace|swap) (?:out )?\S+ (?:with|for|by) \S+$|, (?:so )?(?:we|i) (?:dropped|ditched|abandoned|retired|replaced|threw out|got rid of) (?:it|that|them|this)\b|\bmake (?:it|this|that) the (?:standard|default|rule|convention)\b|\b(?:no longer|any ?more|instead of|rather than|took over|takes over|taking over|dead end|turned out (?:too|not|to be too)|replaces?d? (?:by|with)|replaces (?:the |our |all )?\S+|in favou?r of|for good)\b|^(?:keep|leave) the \S+ .{0,60}\b(?:for now|as (?:is|it is)|until)\b|\b(?:stay|remain|stick|standardi[sz]e|standardi[sz]ed)s? on\b/iu;
export const goneState =
  /\b(?:is|are|was|were|'s|has been|have been|now|officially) (?:now |finally |all )?(?:gone|out for|dead\b(?! end)|history\b|deprecated|retired|decommissioned|sunset|frozen|discontinued|replaced|banned|off the table|the new)\b|\b(?:goes away|going away|dies in|will die|gets? removed|being phased out|is out\b|can (?:go|be (?:removed|deleted|dropped)|die)\b)\b/i;
export const weUse =
  /^(?:(?:in|for|on|at|with) (?:this|our|the|all)? ?[\p{L}\p{N}_/@.-]+(?: [\p{L}\p{N}_-]+){0,2},? )?(?:here,? )?(?:we|our team|the team|everyone here|everybody)(?:'ll|'re| will| are| only| now| all| always| still| both| also| just)* (?:use|using|on|run|running|deploy|ship|store|keep|host|promise|guarantee|support|target|build|publish|release|follow|require|have|own|cache|log|send|serve|test|write|version|tag|pin|rely on|depend on|bill|pay|charge|retry|limit|cap|allow|sync|delete|squash|rebase|merge|review|sign|rotate|expire|back up|backup|archive|track|measure|report|meet|freeze|move|treat|call|name|format|lint|monitor|alert|page|scale|shard|partition|replicate|encrypt|hash|validate|generate|render|mock|ban|forbid|tried)\b/iu;
export const useFor =
  /^(?:(?:please|pls|and|so|just|also|always) )*use (?!(?:a|an|that|this|it|your|some|any|one|whatever|the (?:same|first|second|last|other|above|existing|new|attached|following)\b|subagents?|the subagent)\b)\S+.{0,100}/i;

/** Somebody: a name with a role, a wish or a duty. */
export const person =
  /(?<![\p{L}\p{N}])(?:\p{Lu}\p{L}{1,20}(?: \p{Lu}\p{L}{1,20})?|(?!(?:and|the|our|this|that|with|from|for|not|but|also|you|one)\b)\p{Ll}{3,20}) \((?:he|she|they|our|the|my|from|in|works?|leads?|owns?|on|head|team)\b[^)]{2,100}\)|(?<![\p{L}\p{N}])\p{L}{2,20} from (?:the )?(?:security|finance|legal|design|product|ops|sales|support|marketing|platform|infra|data|qa|hr|compliance|accounting|[\p{L}-]+ team)\b|(?:^|, |\. |\band |\bbut |\bso )(?:(?!(?:[Ii]t|[Tt]his|[Tt]hat|[Ww]e|[Yy]ou|[Tt]hey|[Ii]|[Ww]ho|[Nn]obody|[Ss]omeone|[Ee]veryone|[Uu]sers?|[Tt]ests?|[Cc]i|CI)\b)\p{L}{2,20}(?: \p{Lu}\p{L}{1,20})?) (?:owns|leads|maintains|reviews|approves|signs off|joined|left (?!join)|quit|is on.?call|is (?:our|the|my|a|an) (?:[\p{L}-]+ ){0,3}(?:lead|pm|sre|cto|ceo|cfo|manager|designer|engineer|developer|owner|contact|architect|analyst|maintainer|admin|dba|intern|contractor|tester|producer|artist|director|person|guy|expert|head|boss|client|customer|vendor|reviewer|approver)|is in (?:security|finance|legal|design|product|ops|sales|support|marketing|qa|hr|compliance|accounting)|is responsible for|takes care of|took over|is taking over|handles all|gets the pager|holds the pager|is the (?:one|person) (?:who|for)|is head of)\b|(?:^|, |\. |\band )\p{Lu}\p{Ll}{1,20}(?: \p{Lu}\p{L}{1,20})?,? (?:(?:our|the) [\p{L} -]{2,30}, )?(?:owns|wants|needs|prefers|requires|insists|asked (?:us|that)|merges|decides|hates|likes|handles|manages|checks|runs|does|writes|builds|deploys|releases|monitors|pays|signs|sends|prepares|operates|translates|designs|triages|supports|covers|answers|approves|reviews|tests|looks after|is back|is out)\b/u;
export const role =
  /\b(?:lead|pm|sre|manager|designer|engineer|owner|contact|architect|analyst|maintainer|admin|dba|vendor|customer|client|partner|supplier|provider|team|service|bank)\b/i;

export const stative =
  /(?<=\S\s)(?:is|are|works? (?:on|in|with|from)|'s|isn'?t|aren'?t|lives?|runs?|uses?|listens?|sits?|points?|goes|go|comes?|expires?|takes?|needs?|requires?|wants?|belongs?|stays?|depends?|supports?|contains?|holds?|has|ships?|deploys?|builds?|targets?|writes?|reads?|stores?|caches|redelivers?|retries|times out|starts?|ends?|closes?|opens?|lands?|drops?|happens?|means|equals?|defaults?|costs?|limits?|allows?|blocks?|breaks? (?:at|above|below|on)|fails? (?:above|below|if|when|unless|on)|called|named|based|hosted|located|scheduled|due|owned|gets?|merges?|covers?|speaks?|exposes?|returns?|emits?|publishes|subscribes|consumes?|sends?|receives?|generates?|fits?|weighs?|measures?|consists?|ranges?|accepts?|rejects?|treats?|maps?|refers?|stands? for|was|were)\b/i;
/** "it is …", "there are …" at the start say nothing by themselves. */
export const emptySubject =
  /^(?:(?:now|then|still|and|but) )?(?:it|its|it's|that|that's|thats|this|there|there's|here|here's|what|which|who|i|i'm|im|you|you're|my|your|all|both|everything|something|nothing|nobody|someone|one|the (?:tests?|build|diff|output|result|error|file|page|screen|change|changes|code|above|rest|problem|issue|bug)) /i;

export const trouble =
  /\b(?:broken|crash(?:es|ed|ing)?|bug|buggy|fail(?:s|ed|ing)(?! (?:above|below|if|when|unless|on))|of them fail|throw(?:s|ing)|exception|traceback|[45]\d\d(?:s|ing|ed)|flaky|hang(?:s|ing)|stuck|died|explodes?|exploded|wrong|weird|janky|laggy|too (?:low|high|big|small|long|short|wide|narrow|dark|bright|close|far|late|early|much|many|fast|heavy|loud)|grows|forever|loses|drains|still (?:resets|crashes|fails|hangs|loses|leaks|happens|shows|gives)|doesn'?t (?:work|compile|build|start|load|render)|does not (?:work|compile|build|start|load|render)|not working|won'?t (?:work|start|build|compile)|(?<!sign(?:s|ed|ing)? )off by|(?:day|hour|pixel|minute|cent)s? off|too slow|leak(?:s|ed|ing)?|complain(?:s|ed|ing)?|timed out|timing out|oom(?:s|ed)?|segfault(?:s|ed)?|missing|unreachable|is down|went down|out of memory|why\b|explains?|strange|regression|corrupt(?:s|ed)?|mess)\b/i;

export const statusReport =
  /\b(?:tests?|builds?|specs?|suite|ci|pipeline|checks?|lint|deploy|it|everything|all) (?:now |still |all |is |are |was |were )*(?:pass(?:es|ed|ing)?|green|red|fine|ok|good|done|clean|works?|working|running|failing|fails|failed)\b|\b\d+ (?:passed|failed|skipped|warnings?|errors?|problems?|tests?|files? changed|insertions?|deletions?)\b|\b(?:is|are) (?:now )?(?:done|ready|fixed|merged|pushed|deployed|finished|clean|green|red(?!-)|in progress|throwing|crashing|building|compiling|loading|looping|trying|getting|going|coming|giving|showing|working|happening|waiting)\b|^(?:(?:now|then|still|but) )?(?:i|we) (?:just |still |now )?(?:fixed|merged|pushed|ran|tested|tried|saw|got|see|get|found|checked|looked|added|did|made|changed|updated|wrote)\b/i;

/** What a correction puts right: "its eu-central-1", "the port is 5433". */
export const correctedValue =
  /^(?:(?:it'?s|that'?s|it is|that is|they'?re|they are|should be|it should be|i mean|i meant|make (?:it|that))\b|(?:the |our |all )?[\p{L}\p{N}_/@.-]+(?: [\p{L}\p{N}_-]+){0,3} (?:is|are|was|were|has|have|goes|go|lives?|runs?|uses?|needs?)\b)/iu;
/** "net, not gross", "tabs instead of spaces". */
export const contrast =
  /\S (?:not|never|instead of|rather than|over) (?!sure\b|yet\b|that\b|it\b|a\b|the\b)\p{L}/iu;

/** "debug logs are kept 7 days": a noun that is also a verb, in front of a statement. */
export const nounFirst =
  /^\p{L}+ (?:freeze|window|deadline|budget|day)\b|^\p{L}+ (?!(?:the|a|an|my|our|your|this|that|these|those|it|its|all|if|whether|how|what|why|where|when|which|who|in|for|to|on|with|me|us|them|and|or|both|any|some|each|every)\b)(?:[\p{L}-]+ ){0,3}(?:is|are|was|were|has|have|must|should|goes?|go|runs?|live|lives|take|takes|need|needs|happens?|expires?|starts?|uses?|come|comes|stay|stays|wants?|belongs?|fails?|gets?|get|can|cannot|may|will)\b/iu;
/** Something got another value or place. */
export const movedState =
  /\S (?:is |was |are |were |has |have |got |been |now )*(?:moved|moves|changed|changes|switched|migrated|renamed|raised|lowered|increased|reduced|slipped|slips|postponed|delayed|upgraded|downgraded|extended|shortened|relocated|reassigned|went (?:up|down)|goes up|goes down) (?:over |up |down |back )?(?:to|from)\b|^(?!(?:i|we|you)\b)\S+ (?:\S+ ){0,3}(?:renamed|changed|moved|switched|replaced|migrated|upgraded|raised|lowered|bumped|dropped|removed|deprecated|introduced|announced) (?:\S+ ){1,4}(?:to|from|with|by|in|on)\b/i;
/** Where something habitually goes or who does it: a fact even without a value. */
export const routing =
  /\b(?:goes?|go) (?:through|via|into|in|to)\b|\blives? (?:in|on|under|at)\b|\b(?:is|are) (?:always )?(?:handled|managed|owned|hosted|stored|deployed|generated|written|maintained|signed|billed|run|served|built|rendered|validated|cached|encrypted|read|published|done|created|reviewed|approved|tested) (?:by|in|on|with|via|from|through|as|under)\b|\bcomes? from\b/i;

/** "we tried celery before, it lost tasks": an attempt that ended. */
export const deadEnd =
  /\b(?:we|i|they|the team) (?:already |once )?tried \S.{0,60}\b(?:before|once|already|last (?:week|month|year|quarter|spring|summer|autumn|fall|winter)|in \d{4}|back then|(?:ages|days?|weeks?|months?|years?) ago|dead end|gave up|didn'?t work|never again)\b|\b(?:is|are|it'?s|its) (?:all |only |just )*\S+ (?:now|everywhere)(?:$|,)|\bthat'?s why (?:it'?s|we|its|the|all)\b/i;
/** "we round half even": what the team does, with a verb in the present. */
export const wePresent =
  /^(?:so |but |and |because |here,? |in (?:this|our|the) [\p{L}-]+,? )?(?:we|our team|the team)(?: only| always| now| all| still| both| also| just| never)* (?!(?:need|needs|should|could|can|can'?t|cannot|could|would|will|won'?t|may|might|must|have to|had|has|did|do|don'?t|dont|were|was|are|aren'?t|want|see|get|got|think|know|guess|hope|look|wait|go|went|try|tried|start|started|just|are|forgot|forget|missed|lost|ran|saw|made|came|hit|talk|talked|agree|disagree|love|like|feel|seem|mean|say|said|told|tell|ask|asked|let|come|finish|continue|discuss|come|fix|check|debug|add|change|test it|are)\b)(?!\p{L}+ed\b)\p{L}+ \S+(?: \S+){1,}/iu;
/** Kept for later in the same work, not for later sessions. */
export const laterOn =
  /\b(?:later|first|next|afterwards|in a (?:minute|moment|bit|sec)|meanwhile|soon|when (?:we|i|you) (?:get|are|have))\b/i;

/** Verbs of statements about how things are; wider than `stative`, for statements without a value. */
export const habitual =
  /(?<=\S\s)(?:is|are|isn'?t|aren'?t|has|have|does|do|can|cannot|can'?t|may|will|calls?|uses?|needs?|wants?|runs?|lives?|goes|go|comes?|gets?|belongs?|depends?|reads?|writes?|keeps?|stays?|works?|stores?|sends?|returns?|expects?|requires?|owns?|handles?|hates?|likes?|prefers?|supports?|covers?|holds?|means?|counts?|follows?|ends?|starts?|shares?|includes?|excludes?|ignores?|accepts?|rejects?|allows?|blocks?|deletes?|resets?|expires?|charges?|pays?|bills?|ships?|publishes|mirrors?|replicates|inherits?|overrides?|wraps|exposes?|speaks?|talks? to|decides|approves?|reviews?|signs?|wins|beats|comes first|matters)\b/i;
/** How something strikes one at the moment. */
export const impression =
  /\b(?:is|are|was|were|looks?|feels?|seems?|sounds?|gets?|isn'?t|aren'?t) (?:so |very |really |pretty |too |quite |still |not |all |almost |now |a bit |kind of |much |just )*(?:nice|good|bad|great|ugly|cool|fine|ok|okay|done|ready|right|wrong|weird|slow|slower|fast|faster|broken|annoying|confusing|better|worse|perfect|close|obvious|clear|sure|interesting|funny|happy|sad|tired|hard|easy|tricky|complicated|simple|enough|empty|missing|late|early|busy|messy|long|short|big|small|huge|tiny|noisy|stale|odd|strange|off|fun|useful|useless|horrible|lovely|amazing|crazy|insane|ridiculous|fantastic|boring|loud|cold|hot|warm|terrible|awful|angry|stuck|up|down|back|over|there|here|gone|unclear|solved|fixed|resolved|possible|impossible|likely|true|false|correct|incorrect|identical|different|similar|same)\b(?! (?:for|to|in|on|with|from|by|because))|\b(?:is|are|was|were) (?:\p{L}+ly )?\p{L}+ing\b/iu;
/** A date in the calendar of the team: "deploy freeze next week", "standup every day at 9". */
export const calendar =
  /\b(?:freeze|downtime|maintenance|outage window|holiday|vacation|deadline|launch|release day|demo|audit|standup|stand-up|retro|planning|sprint|go-?live|window|cut-?off|cutover|on-?call|oncall|off-?site|review|pairing|meeting)\b.{0,60}(?:\b(?:next|this|every|each|last) (?:week|month|quarter|year|sprint|day|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\d)|\bon (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends)\b|\bevery (?:day|night|morning|evening|week|month|quarter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;
/** "use ulid for new ids": a choice for all of a kind. */
export const useForAll =
  /^(?:please |pls |and |so )*use \S+(?: \S+){0,3} (?:for|in|on|as|when|whenever|wherever|inside) (?!(?:this|that|it|now|me|the same)\b)/i;
/** What the speaker is doing or feeling. */
export const firstPerson =
  /^(?:so |but |and |now |then )*(?:i|i'?m|i'?ve|i'?ll|i'?d|me|my (?:mistake|bad|fault|brain|head|guess|turn))\b/i;

/** "we raised the minimum to 17": a value that has been changed. */
export const pastChange =
  /^(?:we|i|they)(?:'ve| have| had)?(?: just| now| already)? (?:raised|lowered|bumped|set|changed|moved|switched|upgraded|increased|reduced|extended|cut|capped|limited) .{2,60}? (?:to|at|from) \S*\d/i;
/** "exports are signed off by Ravi": who does it. */
export const doneBy = /\b(?:is|are) \p{L}+(?: \p{L}+)? by \p{Lu}\p{Ll}+\b/u;
