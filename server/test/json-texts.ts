import fc from 'fast-check'
import { isWellFormed } from '../src/ground/text/well-formed.ts'

const written = fc.json({ depthSize: 'medium' })
const damaged = fc
  .tuple(written, fc.nat(), fc.constantFrom('', '"', '\\', ',', ':', '[', ']', '{', '}', '0', '-', 'e', '.', ' ', 'n'))
  .map(([json, place, put]) => {
    const at = place % (json.length + 1)
    return json.slice(0, at) + put + json.slice(at + 1)
  })

/** JSON, whole or with one character replaced; without halves of surrogate pairs, which scanners leave to `JSON.parse`. */
export const jsonTexts = fc
  .oneof(written, damaged)
  .filter((json) => isWellFormed(json) && !/\\u[dD][89a-fA-F]/.test(json))
