import { Link } from '@tanstack/react-router'
import type { api } from '../../lib/api/api.ts'
import type { Mask, MaskJob, Withdrawal } from '../../lib/api/schemas.ts'
import { Badge, Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Time } from '../../ui/time.tsx'

interface PrivacyProps {
  readonly privacy: Awaited<ReturnType<typeof api.privacy>>
  /** Absent while they are on their way. */
  readonly withdrawals: readonly Withdrawal[] | undefined
  /** Absent for operators who may not change masks. */
  readonly onRemove: ((mask: Mask) => void) | undefined
}

/** What is masked, what jobs did about the past, whether consent is asked for, and who withdrew it. */
export function PrivacyView({ privacy: { masks, jobs, consentRequired }, withdrawals, onRemove }: PrivacyProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto grid max-w-[720px] gap-4 px-4 py-6">
        <Card
          title="Masks"
          about="[masked] is stored in place of their values: in events, people, row changes, requests, errors, recordings and exports."
        >
          {masks.length === 0 ? (
            <p className="text-ink-2">
              Nothing is masked. {onRemove ? 'Mask a column or a property' : 'An owner masks a column or a property'}{' '}
              whose values are not to be kept.
            </p>
          ) : (
            <ul aria-label="Masks" className="grid divide-y divide-line">
              {masks.map((mask) => (
                <MaskLine key={mask.id} mask={mask} onRemove={onRemove} />
              ))}
            </ul>
          )}
          <p className="text-ink-2 text-sm">
            Recordings show pages: text in them is kept away in the{' '}
            <Link to="/sessions/settings" className="quiet-link">
              recording settings
            </Link>
            . Key columns cannot be masked, and the tables themselves stay as they are.
          </p>
        </Card>
        {jobs.length > 0 && (
          <Card title="The past" about="What was stored before a mask was set is masked by a job.">
            <ul aria-label="Jobs" className="grid divide-y divide-line">
              {jobs.map((job) => (
                <JobLine key={job.id} job={job} />
              ))}
            </ul>
          </Card>
        )}
        <Card
          title="Consent"
          about={
            consentRequired
              ? 'Required: nothing is stored of a visitor who has not agreed.'
              : 'Not required: visitors are stored until they refuse.'
          }
        >
          <p className="text-ink-2 text-sm">{consentRequired ? 'Not to ask first' : 'To ask first'}, in clew.toml:</p>
          <Code
            text={`[analytics]\nconsent = "${consentRequired ? 'not_required' : 'required'}"`}
            copyLabel="Copy the setting"
          />
        </Card>
        <Card title="Withdrawals" about="What was stored of visitors who withdrew their consent is removed.">
          {withdrawals === undefined ? null : withdrawals.length === 0 ? (
            <p className="text-ink-2">No visitor has withdrawn their consent.</p>
          ) : (
            <ul aria-label="Withdrawals" className="grid divide-y divide-line">
              {withdrawals.map((withdrawal) => (
                <WithdrawalLine key={withdrawal.id} withdrawal={withdrawal} />
              ))}
            </ul>
          )}
        </Card>
        <Card
          title="Erasures"
          about="Everything that is kept of a person is removed, or exported: it begins at a person under People, or at a user under Auth."
        >
          <Link to="/settings/privacy/erasures" className="quiet-link w-max">
            Erasures and their certificates
          </Link>
        </Card>
      </div>
    </div>
  )
}

function MaskLine({ mask, onRemove }: { readonly mask: Mask } & Pick<PrivacyProps, 'onRemove'>) {
  const { label, kind, createdAt, createdBy } = mask
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="grid min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className="mono truncate" title={label}>
            {label}
          </span>
          <Badge>{kind}</Badge>
        </span>
        <span className="truncate text-ink-2 text-sm">
          <Time at={createdAt} /> · {createdBy}
        </span>
      </div>
      {onRemove && (
        <Button size="small" aria-label={`Remove the mask of ${label}`} onClick={() => onRemove(mask)}>
          Remove
        </Button>
      )}
    </li>
  )
}

const percent = (part: number): string => `${Math.floor(part * 100)} %`

function JobLine({ job: { label, state, part, store, masked, error, createdAt, endedAt } }: { readonly job: MaskJob }) {
  const found = masked.filter(({ rows }) => rows > 0)
  return (
    <li className="grid gap-1 py-2">
      <div className="flex items-center gap-3">
        <span className="mono min-w-0 flex-1 truncate" title={label}>
          {label}
        </span>
        <span className="shrink-0 text-sm">
          {error !== null ? (
            <Dot tone="warn">is tried again</Dot>
          ) : state === 'done' ? (
            <Dot tone="ok">done</Dot>
          ) : (
            <Dot tone="info">{state === 'waiting' ? 'waits' : `${percent(part)}`}</Dot>
          )}
        </span>
      </div>
      {state !== 'done' && <Progress label={`Progress of ${label}`} max={1} value={part} />}
      <p className="text-ink-2 text-sm">
        {endedAt === null ? <Time at={createdAt} /> : <Time at={endedAt} />}
        {store !== null && ` · at work on ${store}`}
        {found.length > 0
          ? ` · ${found.map(({ store: name, rows }) => `${name} ${rows.toLocaleString('en')}`).join(', ')}`
          : state === 'done' && ' · nothing was stored of it'}
      </p>
      {error !== null && <p className="text-sm text-warn wrap-anywhere">{error}</p>}
    </li>
  )
}

function WithdrawalLine({
  withdrawal: { ids, state, stepsDone, steps, createdAt, error },
}: {
  readonly withdrawal: Withdrawal
}) {
  return (
    <li className="grid gap-1 py-2">
      <div className="flex items-center gap-3">
        <span className="min-w-0 flex-1">
          {ids === 1 ? '1 id' : `${ids} ids`} <span className="text-ink-2">of a person</span>
        </span>
        <span className="shrink-0 text-sm">
          {error !== null ? (
            <Dot tone="warn">is tried again</Dot>
          ) : (
            <Dot tone={state === 'done' ? 'ok' : 'info'}>
              {state === 'running' ? `${stepsDone} of ${steps} steps` : state === 'waiting' ? 'waits' : 'done'}
            </Dot>
          )}
        </span>
      </div>
      <p className="text-ink-2 text-sm">
        Withdrawn <Time at={createdAt} />
      </p>
    </li>
  )
}
