// Stands for `https://deno.land/std/http/server.ts`, whose `serve` early functions import (functions §4).
import type { DenoApi, Handler } from './deno.ts'

declare const Deno: DenoApi

/** Serves requests; the port and host that are asked for are not used. */
export const serve = (
  handler: Handler,
  options: { readonly onError?: (error: unknown) => Response } = {},
): Promise<void> =>
  Deno.serve({ ...(options.onError === undefined ? {} : { onError: options.onError }) }, handler).finished
