import { releaseProperties } from '../../../ground/errors/exception-record.ts'
import { isObject, type JsonObject, textOf } from '../../../ground/json/object.ts'
import { storableText } from '../../../ground/text/storable.ts'
import { parseFrames } from './frames.ts'
import { type Exception, type Frame, levels, type Report, type Step } from './model.ts'
import { parseStackText } from './stack-text.ts'

const longest = { type: 200, message: 8192, fingerprint: 500, release: 200, step: 500 }
const mostExceptions = 10
const mostSteps = 100

/**
 * Reads the properties of `$exception` (analytics §3), `$exception_list` or the flat form of older clients. What is no
 * exception becomes one without a stack, so that none is lost.
 */
export function parseReport(properties: JsonObject): Report {
  const sent = Array.isArray(properties.$exception_list) ? properties.$exception_list.filter(isObject) : []
  const exceptions = sent.slice(0, mostExceptions).map(parseException)
  const level = levels.find((name) => name === properties.$exception_level) ?? 'error'
  return {
    exceptions: exceptions.length === 0 ? [parseFlat(properties)] : exceptions,
    level,
    fingerprint: textUpTo(properties.$exception_fingerprint, longest.fingerprint),
    release: releaseOf(properties),
    steps: parseSteps(properties.$exception_steps),
  }
}

const textUpTo = (value: unknown, length: number): string | null => {
  const text = textOf(value)
  return text === null ? null : textOf(storableText(text, length))
}

const typeOf = (value: unknown): string => textUpTo(value, longest.type) ?? 'Error'
const messageOf = (value: unknown): string => textUpTo(value, longest.message) ?? ''

function parseException({ type, value, mechanism, stacktrace }: JsonObject): Exception {
  const frames = isObject(stacktrace) && Array.isArray(stacktrace.frames) ? stacktrace.frames : []
  return {
    type: typeOf(type),
    message: messageOf(value),
    handled: isObject(mechanism) && mechanism.handled === true,
    frames: parseFrames(frames),
  }
}

/** `$exception_type`, `$exception_message`, `$exception_stack_trace_raw`: frames as JSON, or a stack as text. */
function parseFlat(properties: JsonObject): Exception {
  return {
    type: typeOf(properties.$exception_type),
    message: messageOf(properties.$exception_message),
    handled: properties.$exception_handled === true,
    frames: framesOf(properties.$exception_stack_trace_raw),
  }
}

function framesOf(raw: unknown): readonly Frame[] {
  if (Array.isArray(raw)) return parseFrames(raw)
  const text = textOf(raw)
  if (text === null) return []
  if (!text.trimStart().startsWith('[')) return parseStackText(text)
  try {
    const frames: unknown = JSON.parse(text)
    return Array.isArray(frames) ? parseFrames(frames) : []
  } catch {
    return []
  }
}

const releaseOf = (properties: JsonObject): string | null =>
  releaseProperties.map((name) => textUpTo(properties[name], longest.release)).find((text) => text !== null) ?? null

function parseSteps(steps: unknown): readonly Step[] {
  if (!Array.isArray(steps)) return []
  return steps
    .filter(isObject)
    .slice(-mostSteps)
    .flatMap((step) => {
      const message = textUpTo(step.$message ?? step.message, longest.step)
      return message === null ? [] : [{ at: textUpTo(step.$timestamp ?? step.timestamp, 40), message }]
    })
}
