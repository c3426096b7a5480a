import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../../frame/failure.tsx'
import { api } from '../../../lib/api/api.ts'
import { errorText } from '../../../lib/api/api-error.ts'
import type { Share } from '../../../lib/api/schemas.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/field.tsx'
import { Tick } from '../../../ui/tick.tsx'
import { Time } from '../../../ui/time.tsx'
import { type ChipName, chips } from '../moments/moments.ts'
import { sharesQuery } from '../queries.ts'

const terms = [
  { value: '1', label: 'for an hour' },
  { value: '24', label: 'for a day' },
  { value: '168', label: 'for a week' },
  { value: '720', label: 'for 30 days' },
] as const
type Hours = (typeof terms)[number]['value']

/** What a link may show: what servers tell of themselves is for the team. */
type Lane = Exclude<ChipName, 'server'>
const lanesToShare = chips.filter((chip) => chip !== 'server')

interface ShareDialogProps {
  readonly sessionId: string
  readonly open: boolean
  readonly onClose: () => void
}

/** Makes a link to a session for who has no account, and lists those that there are. */
export function ShareDialog({ sessionId, open, onClose }: ShareDialogProps) {
  return (
    <Dialog title="Share this session" open={open} onClose={onClose}>
      <div className="grid gap-5">
        <NewShare sessionId={sessionId} />
        <Shares sessionId={sessionId} />
      </div>
    </Dialog>
  )
}

function NewShare({ sessionId }: { readonly sessionId: string }) {
  const [lanes, setLanes] = useState<readonly Lane[]>(['clicks', 'api'])
  const [showsValues, setValues] = useState(false)
  const [showsPerson, setPerson] = useState(false)
  const [hours, setHours] = useState<Hours>('168')
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn: () => api.createShare({ sessionId, lanes: [...lanes], showsValues, showsPerson, hours: Number(hours) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sharesQuery(sessionId).queryKey }),
  })
  const link = create.data && `${window.location.origin}/console/shared#${create.data.token}`
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <p className="text-ink-2">
        A person with the link sees the recording and its pages without an account. A recording shows what the page
        showed, names included, unless it was masked.
      </p>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1.5">
        <legend className="mb-1 font-medium text-ink-2 text-sm">Shows also</legend>
        {lanesToShare.map((chip) => (
          <Tick
            key={chip}
            label={laneNames[chip]}
            on={lanes.includes(chip)}
            onToggle={(on) => setLanes(lanesToShare.filter((one) => (one === chip ? on : lanes.includes(one))))}
          />
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        <Tick label="values of rows and filters" on={showsValues} onToggle={setValues} />
        <Tick label="who it is" on={showsPerson} onToggle={setPerson} />
      </div>
      <div className="flex items-center gap-2">
        <Button look="primary" type="submit" disabled={create.isPending}>
          Make a link
        </Button>
        <Select label="Valid" value={hours} options={terms} onChange={setHours} />
      </div>
      {create.error && (
        <p role="alert" className="text-danger">
          {errorText(create.error)}
        </p>
      )}
      {link && (
        <div className="grid gap-1">
          <p className="text-ink-2 text-sm">Copy it now: it is not shown again.</p>
          <div className="flex min-w-0 items-center gap-2 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
            <span className="mono min-w-0 flex-1 truncate">{link}</span>
            <CopyButton look="plain" text={link} label="Copy the link">
              Copy
            </CopyButton>
          </div>
        </div>
      )}
    </form>
  )
}

const laneNames: Readonly<Record<Lane, string>> = {
  clicks: 'clicks',
  api: 'requests and SQL',
  rows: 'changed rows',
  live: 'live messages',
  console: 'the console',
}

function Shares({ sessionId }: { readonly sessionId: string }) {
  const { data: shares, error, refetch } = useQuery(sharesQuery(sessionId))
  if (error) return <ErrorProblem error={error} onRetry={refetch} />
  if (!shares || shares.length === 0) return null
  return (
    <section aria-label="Links to this session" className="grid gap-1 border-line border-t pt-4">
      <h3 className="font-semibold">Links</h3>
      <ul className="grid">
        {shares.map((share) => (
          <ShareLine key={share.id} share={share} />
        ))}
      </ul>
    </section>
  )
}

function ShareLine({ share }: { readonly share: Share }) {
  const { lanes, showsValues, showsPerson, createdBy, expiresAt, revokedAt, opened } = share
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => api.revokeShare(share.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sharesQuery(share.sessionId).queryKey }),
  })
  const shown = [...lanes, ...(showsValues ? ['values'] : []), ...(showsPerson ? ['person'] : [])]
  const isOver = revokedAt !== null || Date.parse(expiresAt) <= Date.now()
  return (
    <li className="flex min-h-9 min-w-0 items-center gap-3 border-line border-b last:border-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{shown.join(', ') || 'the recording only'}</span>
        <span className="block truncate text-ink-2 text-sm">
          by {createdBy}, opened {opened === 1 ? 'once' : `${opened} times`},{' '}
          {revokedAt !== null ? 'revoked' : isOver ? 'expired' : 'until '}
          {!isOver && <Time at={expiresAt} />}
        </span>
        {revoke.error && <span className="block text-danger">{errorText(revoke.error)}</span>}
      </span>
      {!isOver && (
        <Button size="small" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      )}
    </li>
  )
}
