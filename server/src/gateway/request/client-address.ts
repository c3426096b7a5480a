import { isIP } from 'node:net'

/**
 * The address of who calls, as PostgreSQL's `inet` takes it. What a proxy says may carry a port (`203.0.113.7:4711`), a zone
 * (`fe80::1%eth0`), or be no address at all; then it is the connection's own that counts.
 */
export function clientAddress(claimed: string, ofConnection: string | undefined): string {
  return readAddress(claimed) ?? readAddress(ofConnection ?? '') ?? '0.0.0.0'
}

function readAddress(raw: string): string | null {
  if (isIP(raw) !== 0 && !raw.includes('%')) return raw
  const [, bracketed, withPort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(raw) ?? []
  const address = (bracketed ?? withPort ?? raw).split('%', 1)[0] ?? ''
  return isIP(address) === 0 ? null : address
}
