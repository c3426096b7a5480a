import type { RefusedRows, SpoolSink } from '../../../engines/spool/index.ts'
import { isObject } from '../../../ground/json/object.ts'
import { createMaskAddresses } from '../../../ground/privacy/addresses.ts'
import { type MaskList, type Masks, maskedText } from '../../../ground/privacy/masks.ts'
import { splitKeptBody } from '../capture/kept-body.ts'
import { maskedNames } from './lines.ts'

/** Sets aside kept bodies that cannot be planned, masked. While it is not known what is masked, they wait. */
export const setBodiesAside =
  (refused: Pick<RefusedRows, 'write'>, masks: Masks): SpoolSink =>
  async (bodies) => {
    const list = await masks.current()
    await refused.write(
      'bodies',
      'cannot be planned',
      bodies.map((body) => maskBody(body, list)),
    )
  }

/**
 * Masks a kept body: every member of a masked name, wherever it stands, and parameters of addresses. What cannot be read
 * cannot be masked, and is left out.
 */
function maskBody(body: Buffer, list: MaskList): Buffer {
  if (list.properties.length === 0) return body
  const names = maskedNames(list)
  const isMasked = new Set(names)
  const mask = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mask)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, isMasked.has(name) ? maskedText : mask(member)]),
    )
  }
  try {
    const { head, json } = splitKeptBody(body)
    // A browser's header tells what these properties do.
    const userAgent = ofUserAgent.some((name) => isMasked.has(name)) ? maskedText : head.userAgent
    const text = JSON.stringify(mask(JSON.parse(json.toString())))
    return Buffer.from(`${JSON.stringify({ ...head, userAgent })}\n${createMaskAddresses(names)(text)}`)
  } catch {
    return Buffer.from(JSON.stringify(unreadable))
  }
}

const ofUserAgent = ['$raw_user_agent', '$browser', '$browser_version', '$os', '$os_version', '$device_type']
const unreadable = 'A body that is no JSON: what is masked in it is not known, so that nothing of it is kept.'
