process.argv.push("--real","/work/real/labels");
const { rows } = await import("./signals.ts"); import { train, score, auc } from "./sparse.ts"; import { traitCount } from "../src/memory/exchange/traits.ts"; import { cueOf } from "../src/memory/exchange/cues.ts";
const hands=[...new Set(rows.map(r=>r.hand))]; const fold=new Map(hands.map((h,i)=>[h,i%10]));
for(const [vw,rw] of [[0.1,1],[0.3,1],[0.1,3],[0.3,3]]) for (const [ep,rate] of [[10,0.03],[20,0.05]]){
const ex=rows.map(r=>({...r,y:(r.label==="none"?0:1) as 0|1,weight:r.from==="voice"?vw:r.from==="real"?rw:1}));
const ms=Array.from({length:10},(_,f)=>train(ex.filter(r=>fold.get(r.hand)!==f),traitCount,{epochs:ep!,rate:rate!,l2:1e-3}));
console.log("vw",vw,"rw",rw,ep,rate);
for(const from of ["ours","voice","real"]) { const c=rows.filter(r=>r.from===from).map(r=>({r,cue:cueOf(r.text),p:score(ms[fold.get(r.hand)!]!,r)})); const k=c.filter(o=>o.cue); const st=(x:any[])=>x.length+" "+(x.filter(o=>o.r.label!=="none").length/Math.max(1,x.length)).toFixed(2); const all=c.filter(o=>["rule","remember","decision"].includes(o.r.label)); console.log("  ",from,"cue",st(k),...[-1.5,-1,-0.5,0].map(t=>`≥${t}: ${st(k.filter(o=>o.p>=t))} caught ${(k.filter(o=>o.p>=t&&["rule","remember","decision"].includes(o.r.label)).length/all.length).toFixed(2)}`)); } }
