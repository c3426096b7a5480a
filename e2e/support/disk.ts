import { spawnSync } from 'node:child_process'

/** Mounts a disk in memory; `options` are those of tmpfs (`size=24m`, `ro`). */
export function mount(folder: string, options: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0
}
export function unmount(folder: string): boolean {
  return spawnSync('umount', ['-l', folder]).status === 0
}

/** Whether a small disk of our own can be had, and filled or made read-only. */
export const mayMount = process.getuid?.() === 0 && mount('/mnt', 'size=1m') && unmount('/mnt')
