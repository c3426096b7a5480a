import { isObject, type JsonObject, textOf } from '../../../ground/json/object.ts'
import { storableText } from '../../../ground/text/storable.ts'
import type { Frame, SourceContext } from './model.ts'

const longest = { file: 1000, function: 300, line: 300, chunkId: 100 }
const contextLines = 5
/** Of a deeper stack the innermost and the outermost calls are kept. */
const mostInnermost = 80
const mostOutermost = 20

/** Files that are the platform's, a library's or an extension's. */
const foreign =
  /(?:^|\/)node_modules\/|^(?:node|ext|deno|bun|chrome-extension|moz-extension|safari-extension|safari-web-extension|webkit-masked-url|native):|^<|^\[native|\/posthog-js\/|\/ingest\/static\//

/** Whether a file is the application's own. */
export const isOwnFile = (file: string | null): boolean => file !== null && file !== '' && !foreign.test(file)

/** Frames as clients send them, outermost call first, as we keep them: innermost first, and bounded. */
export function parseFrames(sent: readonly unknown[]): readonly Frame[] {
  const kept =
    sent.length > mostInnermost + mostOutermost
      ? [...sent.slice(0, mostOutermost), ...sent.slice(-mostInnermost)]
      : sent
  return kept.filter(isObject).map(parseFrame).reverse()
}

function parseFrame(frame: JsonObject): Frame {
  const file = cut(frame.filename ?? frame.abs_path ?? frame.module, longest.file)
  return {
    file,
    function: functionName(frame.function),
    line: place(frame.lineno),
    column: place(frame.colno),
    inApp: frame.in_app === false ? false : isOwnFile(file),
    chunkId: cut(frame.chunk_id, longest.chunkId),
    context: parseContext(frame),
    built: null,
  }
}

const cut = (value: unknown, length: number): string | null => {
  const text = textOf(value)
  return text === null ? null : textOf(storableText(text, length))
}

const largestPlace = 2 ** 31 - 1

const place = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largestPlace ? value : null

const anonymous = new Set(['?', '<anonymous>', 'anonymous', '<unknown>', 'global code', 'eval code'])

/** The name of a function; null where it has none of its own. */
export function functionName(value: unknown): string | null {
  const name = cut(value, longest.function)
  return name === null || anonymous.has(name) ? null : name
}

function parseContext({ pre_context, context_line, post_context }: JsonObject): SourceContext | null {
  const line = textOf(context_line)
  if (line === null) return null
  return {
    before: lines(pre_context).slice(-contextLines),
    line: storableText(line, longest.line),
    after: lines(post_context).slice(0, contextLines),
  }
}

const lines = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter((line): line is string => typeof line === 'string').map((line) => storableText(line, longest.line))
    : []

/**
 * Cuts source text to the lines around one.
 *
 * @param line from 1
 * @returns null where the text has no such line
 */
export function contextAround(source: string, line: number): SourceContext | null {
  const all = source.split('\n')
  const text = all[line - 1]
  if (text === undefined) return null
  const short = (each: string): string => storableText(each, longest.line)
  return {
    before: all.slice(Math.max(0, line - 1 - contextLines), line - 1).map(short),
    line: short(text),
    after: all.slice(line, line + contextLines).map(short),
  }
}
