/** A place in the write-ahead log as PostgreSQL prints it: `16/B374D848`. */
export function formatLsn(lsn: bigint): string {
  const hex = (part: bigint) => part.toString(16).toUpperCase()
  return `${hex(lsn >> 32n)}/${hex(lsn & 0xffff_ffffn)}`
}
