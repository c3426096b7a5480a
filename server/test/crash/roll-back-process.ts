import { rollBack } from '../../src/instance/upgrade/roll-back.ts'

// Rolls a data directory back, and is killed before its n-th change of the disk.
const [data = '', id = '', killedBefore = '0'] = process.argv.slice(2)
let steps = 0
await rollBack(data, { id, discards: false }, new Date(), () => {
  if (steps === Number(killedBefore)) process.kill(process.pid, 'SIGKILL')
  steps += 1
})
// The channel to its parent would keep it.
process.disconnect()
