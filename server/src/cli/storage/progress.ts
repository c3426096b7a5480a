/** Lines about files that are moved, and on a terminal how far it is. */
export interface TransferProgress {
  /** A line that stays. */
  readonly line: (text: string) => void
  readonly moved: (bytes: number) => void
  /** Takes away what does not stay. */
  readonly end: () => void
}

const paintEveryMs = 200

/** Writes to standard error, so that standard output is the command's own. */
export function createTransferProgress(): TransferProgress {
  const isTerminal = process.stderr.isTTY === true
  let bytes = 0
  let paintedAt = 0
  const clear = (): void => {
    if (isTerminal && paintedAt > 0) process.stderr.write('\r\u001b[K')
  }
  return {
    line: (text) => {
      clear()
      process.stderr.write(`${text}\n`)
    },
    moved: (more) => {
      bytes += more
      const at = performance.now()
      if (!isTerminal || at - paintedAt < paintEveryMs) return
      paintedAt = at
      process.stderr.write(`\r\u001b[K${(bytes / 1024 ** 2).toFixed(1)} MiB`)
    },
    end: clear,
  }
}
