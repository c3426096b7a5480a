import type { Spool } from './spool.ts'

/**
 * Stores what is in folders that no process writes any more, as those of workers whose number was lowered.
 *
 * @param open opens a folder with the sinks of its records
 */
export async function drainSpools(
  open: (folder: string) => Promise<Pick<Spool, 'settled' | 'close'>>,
  folders: readonly string[],
): Promise<{ close(): Promise<void> }> {
  const spools = await Promise.all(folders.map(open))
  const ends = spools.map((spool) => {
    let ending: Promise<void> | null = null
    const end = (): Promise<void> => (ending ??= spool.close())
    void spool.settled().then(end)
    return end
  })
  return {
    async close() {
      await Promise.all(ends.map((end) => end()))
    },
  }
}
