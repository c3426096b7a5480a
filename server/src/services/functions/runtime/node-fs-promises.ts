// Stands for `node:fs/promises` in a function's own modules: `/tmp` is the worker's own folder (functions §6).
import files from 'node:fs/promises'
import { redirectNodeFiles } from './temporary-files.ts'

redirectNodeFiles(files)

export * from 'node:fs/promises'
export default files
// A name that is exported here hides that of the star.
export const {
  access,
  appendFile,
  chmod,
  copyFile,
  cp,
  link,
  lstat,
  lutimes,
  mkdir,
  mkdtemp,
  open,
  opendir,
  readFile,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} = files
