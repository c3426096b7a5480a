import { closeSync, constants } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDurableFile, writeDurably } from './durable-file.ts'

test.runIf(process.platform === 'linux')(
  'what is written to a short file is on the disk when the write ends',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-durable-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'file')
    const descriptor = await createDurableFile(path)
    onTestFinished(() => closeSync(descriptor))
    const flags = /^flags:\s+(\d+)$/m.exec(await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
    expect(Number.parseInt(flags ?? '', 8) & constants.O_DSYNC).toBe(constants.O_DSYNC)
    const bytes = Buffer.from('two oat biscuits')
    await writeDurably(descriptor, bytes)
    expect(await readFile(path)).toEqual(bytes)
  },
)
