import type { Body } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { isStorable, parseBody } from './body.ts'

/** The protocol's forms have a dozen fields; a megabyte of them would hold the event loop. */
const maxFields = 1000

/**
 * The parameters of a form-encoded body.
 *
 * @throws validation_failed for more than 1,000
 */
export function readParameters(text: string): URLSearchParams {
  if (text.split('&', maxFields + 1).length > maxFields)
    throw authError('validation_failed', { message: 'The body holds too many fields' })
  return new URLSearchParams(text)
}

/**
 * Reads a form-encoded body as the object that JSON would have been.
 *
 * @throws validation_failed when a parameter stands twice (RFC 6749 §3.2), bad_json when PostgreSQL cannot store it
 */
export function parseForm(text: string): Body {
  const parameters = [...readParameters(text)]
  const fields = new Map(parameters)
  if (fields.size < parameters.length)
    throw authError('validation_failed', { message: 'A parameter must not be given twice' })
  for (const [name, value] of parameters)
    if (!isStorable(name) || !isStorable(value))
      throw authError('bad_json', { message: 'The body must not contain U+0000 or half a character' })
  return Object.fromEntries(fields)
}

/** Reads a body that may be JSON or a form, as its content type says. */
export const parseJsonOrForm = (text: string, contentType: string | undefined): Body =>
  /\bjson\b/i.test(contentType ?? '') ? parseBody(text) : parseForm(text)
