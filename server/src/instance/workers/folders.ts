import { join } from 'node:path'

/** The control socket of a worker, in the folder for what lives as short as it. */
export const controlOf = (folder: string): string => join(folder, 'control.sock')
