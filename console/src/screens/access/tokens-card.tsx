import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accessQuery, accessTokensQuery, isProofNeeded } from '../../frame/access-queries.ts'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { AccessToken } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardProblem } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'

interface TokensCardProps {
  /** The name that the command line proposes for a token; the form is open with it. */
  readonly proposed: string | undefined
  /** A change needs a fresh proof of identity; `again` repeats it afterwards. */
  readonly onProofNeeded: (again: () => void) => void
}

/** What a token opens. */
type Purpose = AccessToken['purpose']

/** Tokens with which programs act for the operator: made, listed with their last use, revoked. */
export function TokensCard({ proposed, onProofNeeded }: TokensCardProps) {
  const queryClient = useQueryClient()
  const { canChange, canLook } = useRights()
  const { data: tokens, error } = useQuery(accessTokensQuery)
  const [isMaking, setMaking] = useState(proposed !== undefined)
  const reload = () => inBackground(queryClient.invalidateQueries({ queryKey: accessQuery.queryKey }))
  const create = useMutation({
    mutationFn: api.createAccessToken,
    onSuccess() {
      setMaking(false)
      reload()
    },
    onError: (problem, body) => isProofNeeded(problem) && onProofNeeded(() => create.mutate(body)),
  })
  const revoke = useMutation({ mutationFn: api.revokeAccessToken, onSettled: reload })
  const problem = [create.error, revoke.error, error].find((each) => each && !isProofNeeded(each))
  return (
    <Card
      title="Access tokens"
      about={aboutTokens(canChange, canLook)}
      action={canLook && !isMaking && <Button onClick={() => setMaking(true)}>Make a token</Button>}
    >
      {canLook && isMaking && (
        <TokenForm
          name={proposed ?? ''}
          purposes={canChange ? purposes : purposes.filter(({ value }) => value === 'agent')}
          isPending={create.isPending}
          onMake={create.mutate}
          onCancel={() => {
            setMaking(false)
            create.reset()
          }}
        />
      )}
      <CardProblem text={problem ? errorText(problem) : undefined} />
      {tokens === undefined ? (
        error === null && <SkeletonRows rows={1} />
      ) : (
        <TokenList tokens={tokens} isPending={revoke.isPending} onRevoke={revoke.mutate} />
      )}
      <NewToken token={create.data?.token} isForAgent={create.variables?.purpose === 'agent'} onClose={create.reset} />
    </Card>
  )
}

/** What tokens are for, by what an operator may do. */
function aboutTokens(canChange: boolean, canLook: boolean): string {
  if (canChange)
    return 'Programs act with one in your name: the command line deploys functions, an agent reads what you may read.'
  if (canLook) return 'An agent reads with one what you may read, in your name.'
  return 'They are for operators who may see something.'
}

const purposes: readonly { readonly value: Purpose; readonly label: string }[] = [
  { value: 'command line', label: 'Command line' },
  { value: 'agent', label: 'Agent (MCP)' },
]

const lives = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: 'a year' },
] as const

interface TokenFormProps {
  readonly name: string
  /** What the operator may make tokens for. */
  readonly purposes: readonly { readonly value: Purpose; readonly label: string }[]
  readonly isPending: boolean
  readonly onMake: (token: { readonly name: string; readonly purpose: Purpose; readonly days: number }) => void
  readonly onCancel: () => void
}

function TokenForm({ name, purposes, isPending, onMake, onCancel }: TokenFormProps) {
  const [purpose, setPurpose] = useState<Purpose>(purposes[0]?.value ?? 'agent')
  const [days, setDays] = useState<(typeof lives)[number]['value']>('90')
  const make = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onMake({ name: String(new FormData(event.currentTarget).get('name')).trim(), purpose, days: Number(days) })
  }
  return (
    <form aria-label="A new access token" className="flex flex-wrap items-end gap-2" onSubmit={make}>
      <Field
        label="Name"
        name="name"
        defaultValue={name}
        placeholder="laptop, CI"
        maxLength={100}
        pattern=".*\S.*"
        required
        autoFocus
        autoComplete="off"
        className="min-w-40 flex-1"
      />
      {purposes.length > 1 && (
        <Select label="For" value={purpose} options={purposes} onChange={setPurpose} className="h-8!" />
      )}
      <Select label="Good for" value={days} options={lives} onChange={setDays} className="h-8!" />
      <Button type="submit" look="primary" disabled={isPending}>
        Make
      </Button>
      <Button look="bare" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}

interface TokenListProps {
  readonly tokens: readonly AccessToken[]
  readonly isPending: boolean
  readonly onRevoke: (id: string) => void
}

function TokenList({ tokens, isPending, onRevoke }: TokenListProps) {
  const [asked, setAsked] = useState<string>()
  if (tokens.length === 0) return null
  return (
    <ul className="grid divide-y divide-line">
      {tokens.map(({ id, name, purpose, expiresAt, lastUsedAt, lastUsedAddress }) => (
        <li key={id} className="flex items-center gap-2 py-2">
          <div className="grid min-w-0 flex-1">
            <span className="truncate" title={name}>
              {name}
            </span>
            <span className="text-ink-2 text-sm">
              {purpose === 'agent' && 'for an agent · '}
              {new Date(expiresAt) > new Date() ? 'expires' : <span className="text-danger">expired</span>}{' '}
              <Time at={expiresAt} /> ·{' '}
              {lastUsedAt === null ? (
                'not used yet'
              ) : (
                <>
                  used <Time at={lastUsedAt} /> from <span className="mono">{lastUsedAddress}</span>
                </>
              )}
            </span>
          </div>
          {asked === id ? (
            <>
              <Button
                size="small"
                look="danger"
                aria-label={`Revoke ${name} for good`}
                disabled={isPending}
                autoFocus
                onClick={() => onRevoke(id)}
              >
                Revoke for good
              </Button>
              <Button size="small" look="bare" onClick={() => setAsked(undefined)}>
                Keep
              </Button>
            </>
          ) : (
            <Button size="small" look="danger" aria-label={`Revoke ${name}`} onClick={() => setAsked(id)}>
              Revoke
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

interface NewTokenProps {
  /** Undefined when there is nothing to show. */
  readonly token: string | undefined
  readonly isForAgent: boolean
  readonly onClose: () => void
}

/** A new token; it cannot be shown again. */
function NewToken({ token, isForAgent, onClose }: NewTokenProps) {
  return (
    <Dialog open={token !== undefined} onClose={onClose} title="Your access token">
      <div className="grid gap-4">
        <p>
          It is shown only now.{' '}
          {isForAgent
            ? 'The agent sends it to the address below as its bearer token.'
            : 'Paste it where the command below asks for it.'}
        </p>
        <Code text={token ?? ''} copyLabel="Copy the access token" />
        {isForAgent ? (
          <Code text={`${window.location.origin}/mcp`} copyLabel="Copy the address" />
        ) : (
          <>
            <Code text={`clew login ${window.location.origin}`} copyLabel="Copy the command" />
            <p className="text-ink-2">In CI, keep it as the secret variable CLEW_ACCESS_TOKEN.</p>
          </>
        )}
        <Button look="primary" className="justify-self-start" onClick={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  )
}
