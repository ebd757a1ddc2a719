/**
 * English words whose forms no stemmer brings together: `bought` is `buy`, `children` are a `child`. General
 * vocabulary; words whose forms are all too common to search for (be, have, go …) are left out. Pure data and one
 * lookup.
 */

/** One word per group, its forms separated by spaces. */
const groups = `
awake awoke awoken,bear bore born borne,beat beaten,become became,begin began begun,bend bent,bind bound,bite bit bitten
bleed bled,blow blew blown,break broke broken,breed bred,bring brought,build built,burn burnt,buy bought,catch caught
choose chose chosen,cling clung,creep crept,deal dealt,dig dug,draw drew drawn,dream dreamt,drink drank drunk
drive drove driven,eat ate eaten,fall fell fallen,feed fed,feel felt,fight fought,find found,flee fled,fly flew flown
forbid forbade forbidden,forget forgot forgotten,forgive forgave forgiven,freeze froze frozen,grow grew grown,hang hung
hear heard,hide hid hidden,hold held,keep kept,kneel knelt,know knew known,lay laid,lead led,lean leant,learn learnt
leave left,lend lent,light lit,lose lost,mean meant,meet met,overwrite overwrote overwritten,pay paid,prove proven
rebuild rebuilt,redo redid redone,rewrite rewrote rewritten,ride rode ridden,ring rang rung,rise rose risen,run ran
seek sought,sell sold,send sent,shake shook shaken,shine shone,shoot shot,show shown,shrink shrank shrunk,sing sang sung
sink sank sunk,sit sat,sleep slept,slide slid,speak spoke spoken,spend spent,spin spun,split,spring sprang sprung
stand stood,steal stole stolen,stick stuck,strike struck,swear swore sworn,sweep swept,swim swam swum,swing swung
take took taken,teach taught,tear tore torn,tell told,think thought,throw threw thrown,understand understood,undo undone
wake woke woken,wear wore worn,weave wove woven,win won,withdraw withdrew withdrawn,write wrote written
analysis analyses,appendix appendices,axis axes,basis bases,calf calves,child children,criterion criteria,datum data
foot feet,goose geese,half halves,hypothesis hypotheses,index indices,knife knives,leaf leaves,life lives,loaf loaves
man men,matrix matrices,medium media,mouse mice,person people,phenomenon phenomena,schema schemata,shelf shelves
thief thieves,tooth teeth,vertex vertices,wife wives,wolf wolves,woman women
`;

const formsByWord: ReadonlyMap<string, readonly string[]> = readGroups();

function readGroups(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const group of groups.trim().split(/[,\n]/u)) {
    const forms = group.split(" ");
    for (const form of forms)
      found.set(
        form,
        forms.filter((other) => other !== form),
      );
  }
  return found;
}

/** Other forms of the same word that stem differently; none for regular words. `word` is in lower case. */
export const otherForms = (word: string): readonly string[] => formsByWord.get(word) ?? [];
