/**
 * Gemini's generateContent. Not as a stream: replies are short, and its stream says nothing that the whole does not.
 */
import { parseJson } from "#kit";
import { z } from "zod";
import type { Provider, ProviderCall } from "#domain";
import { httpProvider, textOf, verdictOf } from "./http.ts";
import { llmLimits } from "./breaker.ts";
import type { Access } from "./key.ts";
import type { Meter } from "./meter.ts";
import { type Answer, answerOf, foreign, openSchema, type Said } from "./read-json.ts";

export const createGemini = (access: Access): Omit<Provider, "close"> => {
  const { baseUrl, key } = access;
  return httpProvider(access, {
    name: "gemini",
    // In a header: a key in the address would be in every log on the way.
    headers: { "x-goog-api-key": key ?? "" },
    url: ({ model }) => {
      const name = encodeURIComponent(model.replace(/^models\//, ""));
      return `${baseUrl}/v1beta/models/${name}:generateContent`;
    },
    body: bodyOf,
    read,
    probeUrl: `${baseUrl}/v1beta/models?pageSize=1`,
    verdict: verdictOf(baseUrl),
  });
};

const bodyOf = (call: ProviderCall): unknown => ({
  systemInstruction: { parts: [{ text: call.system }] },
  contents: [{ role: "user", parts: [{ text: call.prompt }] }],
  generationConfig: {
    responseMimeType: "application/json",
    responseSchema: openSchema(call.schema),
    maxOutputTokens: call.replyTokensMax,
    ...thinkingOf(call.model),
  },
});

/** Thoughts count against the reply's limit and leave half an answer; these models can do without. */
function thinkingOf(model: string): object {
  if (/gemini-2\.5-flash/.test(model)) return { thinkingConfig: { thinkingBudget: 0 } };
  if (/gemini-3(?:\.\d+)?-flash/.test(model))
    return { thinkingConfig: { thinkingLevel: "minimal" } };
  return {};
}

const Count = z
  .number()
  .nonnegative()
  .nullish()
  .transform((count) => count ?? 0);

const Reply = z
  .object({
    candidates: z.array(
      z.object({
        content: z
          .object({
            parts: z.array(
              z.object({ text: z.string().optional(), thought: z.boolean().optional() }),
            ),
          })
          .partial()
          .optional(),
        finishReason: z.string().optional(),
      }),
    ),
    promptFeedback: z.object({ blockReason: z.string().optional() }),
    usageMetadata: z.object({
      promptTokenCount: Count,
      candidatesTokenCount: Count,
      thoughtsTokenCount: Count,
    }),
  })
  .partial();

async function read(response: Response, meter: Meter): Promise<Answer> {
  const body = await textOf(response, llmLimits.replyBytesMax);
  const { data: reply } = Reply.safeParse(parseJson(body));
  if (reply === undefined) return foreign(response);
  const { usageMetadata: usage } = reply;
  if (usage !== undefined)
    meter.count({
      inputTokens: usage.promptTokenCount,
      outputTokens: usage.candidatesTokenCount + usage.thoughtsTokenCount,
    });
  return answerOf(saidIn(reply), meter);
}

function saidIn({ candidates, promptFeedback }: z.infer<typeof Reply>): Said {
  const blocked = promptFeedback?.blockReason;
  if (blocked !== undefined) return { text: "", end: "declined", reason: blocked };
  const [candidate] = candidates ?? [];
  const text = (candidate?.content?.parts ?? [])
    .filter(({ thought }) => thought !== true)
    .map((part) => part.text ?? "")
    .join("");
  const reason = candidate?.finishReason ?? "no reason given";
  return { text, reason, end: endOf(reason) };
}

const plainEnds: ReadonlySet<string> = new Set([
  "STOP",
  "OTHER",
  "FINISH_REASON_UNSPECIFIED",
  "no reason given",
]);

/** All other reasons (SAFETY, RECITATION, PROHIBITED_CONTENT, …) are refusals. */
function endOf(reason: string): Said["end"] {
  if (reason === "MAX_TOKENS") return "cut-off";
  return plainEnds.has(reason) ? "done" : "declined";
}
