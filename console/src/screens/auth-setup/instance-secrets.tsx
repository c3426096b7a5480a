import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import type { SecretReload, InstanceSecrets as Secrets } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { ProvenAction } from './proven-action.tsx'
import { instanceSecretsQuery } from './queries.ts'
import { RootKeyCard } from './root-key-card.tsx'

/** The instance's own secrets: those that it has made, and those that settings have; of none but the public one the value. */
export function InstanceSecrets() {
  const { data: secrets, error, refetch } = useQuery(instanceSecretsQuery)
  if (error && !secrets) return <ErrorProblem error={error} onRetry={refetch} />
  if (secrets === undefined) return <SkeletonRows />
  return (
    <>
      <IngestToken secrets={secrets} />
      <Card
        title="Database password"
        about="Of the role postgres on the embedded database’s port. Clew itself logs in without it; clew status tells it on the machine."
      >
        <Made
          secrets={secrets}
          name="database password"
          warning="Connections that are open go on. Programs that connect with the password of before are refused from now on: give them the new one, which clew status tells on the machine."
        />
      </Card>
      <RootKeyCard>
        <Made
          secrets={secrets}
          name="root key"
          warning="Nobody is signed out and no secret is lost: what is under the key before is good until you retire it. The S3 access key and the webhooks’ secret are others at once where settings name none; clew keys tells them."
        />
      </RootKeyCard>
      <Configured secrets={secrets} />
    </>
  )
}

interface SecretsProps {
  readonly secrets: Secrets
}

function IngestToken({ secrets }: SecretsProps) {
  const { canProtect } = useRights()
  const { ingestToken, earlierIngestTokens } = secrets
  return (
    <Card title="Ingest token" about="What posthog-js sends events with. It is public: it stands in every page.">
      <Code text={ingestToken} copyLabel="Copy the ingest token" />
      {earlierIngestTokens.length > 0 && (
        <ul aria-label="Earlier ingest tokens" className="grid gap-1 text-ink-2 text-sm">
          {earlierIngestTokens.map(({ id, replacedAt }) => (
            <li key={id} className="flex min-h-7 flex-wrap items-center justify-between gap-x-4">
              <span>
                The one before it: accepted, replaced <Time at={replacedAt} />
              </span>
              {canProtect && (
                <ProvenAction
                  label="Revoke"
                  title="Revoke the earlier ingest token?"
                  run={() => api.revokeIngestToken(id)}
                >
                  Events of pages that still have it are refused from then on, and it cannot be brought back.
                </ProvenAction>
              )}
            </li>
          ))}
        </ul>
      )}
      <Made
        secrets={secrets}
        name="ingest token"
        warning="Nothing breaks yet: the token before it is accepted until you revoke it. Give the new one to the application’s pages. posthog-js keeps what it knows of a visitor by the token: to it, everybody is new until they sign in."
      />
    </Card>
  )
}

interface MadeProps extends SecretsProps {
  readonly name: Secrets['made'][number]['name']
  readonly warning: string
}

/** When Clew has made a secret last, and its rotation. */
function Made({ secrets, name, warning }: MadeProps) {
  const { canProtect } = useRights()
  const { lastRotatedAt = null, pinned = null } = secrets.made.find((made) => made.name === name) ?? {}
  return (
    <>
      <p className="text-ink-2 text-sm">
        Made by Clew, {lastRotatedAt === null ? 'not rotated yet' : 'last rotated '}
        {lastRotatedAt !== null && <Time at={lastRotatedAt} />}.
      </p>
      {pinned !== null ? (
        <p className="text-ink-2 text-sm">{pinned}</p>
      ) : (
        canProtect && (
          <ProvenAction label="Rotate" title={`Make a new ${name}?`} run={() => api.rotateSecret(name)}>
            {warning}
          </ProvenAction>
        )
      )}
    </>
  )
}

/** Secrets of settings: they are changed where they are said, and read again here. */
function Configured({ secrets: { configured } }: SecretsProps) {
  const { canProtect } = useRights()
  const [reload, setReload] = useState<SecretReload>()
  return (
    <Card
      title="Secrets of settings"
      about="Changed where each comes from. A file that changes is read again by itself; the rest here, by clew config reload, or at SIGHUP."
    >
      {configured.length === 0 ? (
        <p className="text-ink-2">No setting has one.</p>
      ) : (
        <ul aria-label="Secrets of settings" className="grid divide-y divide-line">
          {configured.map(({ name, source, from, lastTakenAt }) => (
            <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <span className="mono min-w-0 flex-1 break-all">{name}</span>
              <Badge tone="quiet">{source}</Badge>
              <span className="w-full text-ink-2 text-sm">
                <span className="mono break-all">{from}</span>
                {', '}
                {lastTakenAt === null ? (
                  'not changed while running'
                ) : (
                  <>
                    taken <Time at={lastTakenAt} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {reload !== undefined && <Reloaded reload={reload} />}
      {canProtect && (
        <ProvenAction
          label="Read again"
          title="Read the secrets of settings again?"
          run={() => api.reloadSecrets()}
          onDone={setReload}
        >
          Those that changed are taken at once, in every process. One that cannot be used stays as it is.
        </ProvenAction>
      )}
    </Card>
  )
}

/** What reading the secrets again came to. */
function Reloaded({ reload: { secrets, problems, others } }: { readonly reload: SecretReload }) {
  return (
    <div role="status" className="grid gap-1 text-sm">
      {problems.map((problem) => (
        <p key={problem}>All stay as they are: {problem}</p>
      ))}
      {problems.length === 0 && secrets.length === 0 && <p>Every secret is as it was.</p>}
      {secrets.map(({ name, outcome, problem }) => (
        <p key={name}>
          <span className="mono">{name}</span> {outcome}
          {problem !== null && `: ${problem}`}
        </p>
      ))}
      {others.length > 0 && <p className="text-ink-2">From the next start on: {others.join(', ')}</p>}
    </div>
  )
}
