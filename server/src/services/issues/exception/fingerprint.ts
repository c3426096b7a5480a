import { createHash } from 'node:crypto'
import { normalizeMessage } from './message.ts'
import type { Exception, Frame, Report } from './model.ts'
import type { Rule } from './rules.ts'

/** Frames that tell one error from another: the innermost ones of the application. */
const tellingFrames = 5
/** A line that is longer is a built file's, whose names and places change with each build. */
const longestWrittenLine = 300

/**
 * Names the group of an exception, 32 hexadecimal digits: of what the client says, else of the team's rule, else of the
 * types and the application's innermost frames, else of the types and the messages without what varies in them.
 *
 * @param rule the first that fits
 */
export function fingerprintOf({ exceptions, fingerprint }: Report, rule: Rule | null): string {
  if (fingerprint !== null) return hash(['client', fingerprint])
  if (rule !== null) return hash(['rule', rule.id])
  return hash(['stack', ...exceptions.flatMap(tellingOf)])
}

function tellingOf({ type, message, frames }: Exception): readonly string[] {
  const own = frames.filter(({ inApp }) => inApp).slice(0, tellingFrames)
  const telling = own.length > 0 ? own : frames.slice(0, 1)
  return [type, ...(telling.length > 0 ? telling.map(nameOfFrame) : [normalizeMessage(message)])]
}

/** What stays of a frame when lines are added above it, and when it is built again. */
function nameOfFrame({ file, function: ownName, line, column, built, context }: Frame): string {
  const name = ownName ?? (built === null ? null : (context?.line.trim() ?? null))
  const isBuilt = built === null && column !== null && column > longestWrittenLine
  const place = isBuilt || name === null ? ` ${line}:${isBuilt ? column : ''}` : ''
  return `${name ?? ''} ${file === null ? '' : fileKey(file)}${place}`
}

/** `-BxY3k2_a.js`, `.8f3a2bcd.js`: what bundlers put into names, which has a digit, or capitals inside. */
const contentHash = /[-.](?=[\w-]{0,32}\d|[\w-]{0,32}[a-z][A-Z])[\w-]{6,32}(?=(?:\.\w{1,5}){1,2}$)/

/** A file's path without its origin, query and content hash, and without what bundlers write before it. */
export const fileKey = (file: string): string =>
  file
    .replace(/[?#].*$/, '')
    .replace(/^(?:[a-z][\w+.-]*:\/\/[^/]*)/i, '')
    .replace(/^(?:[a-z]+:)?\/*(?:\.{1,2}\/+)*/i, '')
    .replace(contentHash, '')

/** A separator that no text has keeps two parts from reading as one. */
const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32)
