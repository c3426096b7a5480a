/** A place in the write-ahead log as PostgreSQL prints it: `16/B374D848`. */
export function formatLsn(lsn: bigint): string {
  const hex = (part: bigint) => part.toString(16).toUpperCase()
  return `${hex(lsn >> 32n)}/${hex(lsn & 0xffff_ffffn)}`
}

/** The number of a printed place. */
export function parseLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Beyond 4 PiB, which no server writes. */
const generationBits = 52n

/**
 * A place that is behind every place of earlier generations. A standby that is promoted may begin before what its
 * primary wrote last: what it commits would otherwise stand among transactions that it never had.
 *
 * @param generation how many servers were read before this one, fewer than 4,096
 */
export const placeOf = (generation: number, lsn: bigint): bigint => (BigInt(generation) << generationBits) + lsn
