const units = ['B', 'kB', 'MB', 'GB', 'TB']
const grouped = new Intl.NumberFormat('en')

/** A size with three digits at most, in decimal units as operating systems show files: `1.2 MB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 ? value : Number(value.toPrecision(3))} ${units[power]}`
}

/** A size; the exact bytes on hover. */
export function Bytes({ value }: { readonly value: number }) {
  return (
    <span className="tabular whitespace-nowrap" title={`${grouped.format(value)} bytes`}>
      {bytesText(value)}
    </span>
  )
}
