import { printTransient } from '../print.ts'

const paintEveryMs = 200

/** Says on a terminal what is being copied, and how much of it there is. */
export function createBackupProgress(): (what: string, bytes: number) => void {
  let paintedAtMs = 0
  return (what, bytes) => {
    const atMs = performance.now()
    if (atMs - paintedAtMs < paintEveryMs) return
    paintedAtMs = atMs
    printTransient(`  ${what}: ${formatBytes(bytes)}`)
  }
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** As `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
