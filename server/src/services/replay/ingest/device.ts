import Bowser from 'bowser'
import type { Device } from './line.ts'

const remembered = 500
const nothing: Device = { browser: '', os: '', device: '' }

/** Reads user agents; the latest few hundred are remembered, for a browser sends the same one with every message. */
export function createDeviceReader(): (userAgent: string | null) => Device {
  const known = new Map<string, Device>()
  return (userAgent) => {
    if (userAgent === null || userAgent === '') return nothing
    const found = known.get(userAgent)
    if (found !== undefined) return found
    const { browser, os, platform } = Bowser.parse(userAgent)
    const kind = platform.type ?? ''
    const device: Device = {
      browser: browser.name ?? '',
      os: os.name ?? '',
      device: kind === '' ? '' : `${kind[0]?.toUpperCase()}${kind.slice(1)}`,
    }
    const oldest = known.keys().next()
    if (known.size >= remembered && !oldest.done) known.delete(oldest.value)
    known.set(userAgent, device)
    return device
  }
}
