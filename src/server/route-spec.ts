/** What the route table says of a route. */
import type { z } from "zod";

export interface RouteSpec {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The JSON form of the answer, by its name in `answerForms` of src/api. */
  readonly answer: string;
  /** MIME type of the answer, when it is not JSON. */
  readonly type?: string;
  /** Needs no token. */
  readonly isOpen?: true;
}
