// PostGraphile 5 with its defaults but for the role, on one port: `server.mjs <connection string> <pool size>`.
import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const [connectionString, size = '10'] = process.argv.slice(2)
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ['public'], poolConfig: { max: Number(size) } })],
  grafserv: { graphiql: false, watch: false },
  grafast: { context: () => ({ pgSettings: { role: 'anon', 'request.jwt.claims': '{"role":"anon"}' } }) },
})
const server = createServer()
const handler = instance.createServ(grafserv)
await handler.addTo(server)
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
