import { isIP } from 'node:net'

/**
 * The client's address in the form of PostgreSQL's `inet`. A proxy's claim may carry a port (`203.0.113.7:4711`) or a zone
 * (`fe80::1%eth0`); when it is no address at all, the connection's own counts. A Unix socket has neither.
 */
export function clientAddress(claimed: string | undefined, ofConnection: string | undefined): string {
  return readAddress(claimed ?? '') ?? readAddress(ofConnection ?? '') ?? '0.0.0.0'
}

function readAddress(raw: string): string | null {
  if (isIP(raw) !== 0 && !raw.includes('%')) return raw
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(raw) ?? []
  const address = (bracketed ?? withPort ?? raw).split('%', 1)[0] ?? ''
  return isIP(address) === 0 ? null : address
}
