import type { AuthSetup } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Time } from '../../ui/time.tsx'
import { LastUse } from './last-use.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

type ApiKey = AuthSetup['apiKeys'][number]

interface ApiKeyPartProps {
  readonly keys: readonly ApiKey[]
  /** The key that counts, and its earlier form: a token. */
  readonly name: 'publishable' | 'secret'
  readonly token: 'anon' | 'service_role'
}

/** When a key, its earlier form and those before it were last used; owners rotate it, and revoke those before it. */
export function ApiKeyPart({ keys, name, token }: ApiKeyPartProps) {
  const { canProtect } = useRights()
  const own = keys.filter((key) => key.name === name || key.name === token)
  const pinned = own.find((key) => key.name === name && key.replacedAt === null)?.pinned ?? null
  return (
    <>
      <ul aria-label="Last use" className="grid gap-1 text-ink-2 text-sm">
        {own.map((key) => (
          <li key={key.id} className="flex min-h-7 flex-wrap items-center justify-between gap-x-4">
            <span>
              {titleOf(key)}: <LastUse at={key.lastUsedAt} />
              {key.replacedAt !== null && (
                <>
                  , replaced <Time at={key.replacedAt} />
                </>
              )}
            </span>
            {key.replacedAt !== null && canProtect && <RevokeKey id={key.id} name={name} lastUsedAt={key.lastUsedAt} />}
          </li>
        ))}
      </ul>
      {canProtect && (pinned === null ? <RotateKey name={name} /> : <p className="text-ink-2 text-sm">{pinned}</p>)}
    </>
  )
}

const titles: Readonly<Record<ApiKey['name'], string>> = {
  publishable: 'The publishable key',
  secret: 'The secret key',
  anon: 'The earlier key of browsers (anon)',
  service_role: 'The earlier key of servers (service_role)',
}

const titleOf = ({ name, replacedAt }: ApiKey): string => (replacedAt === null ? titles[name] : 'The one before it')
