import type { AlertNotice, AlertRule, AlertsAnswer } from '../../lib/api/schemas.ts'
import { Dot, type Tone } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { alertValueText, limitText } from './value-text.ts'

type Alert = AlertRule['states'][number] & { readonly rule: AlertRule }

/** What is watched, in the words of the good and the bad state. */
const watched: Readonly<Record<AlertRule['id'], string>> = {
  component: 'Components',
  'error rate': 'Failed requests',
  duration: 'Duration of requests, p95',
  'changes behind': 'Row changes behind',
  disk: 'Until the disk is full',
  budget: 'Budgets of the disk',
  backup: 'Verified backup age',
  certificate: 'Certificate expiry',
  'failed jobs': 'Failed jobs',
}

const columns: readonly TableColumn<AlertRule>[] = [
  { id: 'rule', title: 'Watched', cell: ({ id }) => watched[id] },
  { id: 'state', title: 'State', width: 104, cell: (rule) => <RuleState rule={rule} /> },
  { id: 'value', title: 'Now', width: 120, align: 'right', cell: (rule) => <RuleValue rule={rule} /> },
  {
    id: 'limit',
    title: 'Alert',
    width: 220,
    align: 'right',
    from: 'sheet',
    cell: (rule) => <span className="text-ink-2">{limitText(rule)}</span>,
  },
]

function RuleState({ rule: { states } }: { readonly rule: AlertRule }) {
  if (states.length === 0) return <span className="text-ink-2">not here</span>
  return states.some(({ isFiring }) => isFiring) ? <Dot tone="danger">alert</Dot> : <Dot tone="ok">good</Dot>
}

/** The worst value where there are several. */
function RuleValue({ rule: { states, unit, bad } }: { readonly rule: AlertRule }) {
  if (states.length === 0) return <span className="text-ink-2">–</span>
  if (unit === 'down') {
    const down = states.filter(({ value }) => value === 1).length
    return <>{down === 0 ? `${states.length} up` : `${down} of ${states.length} down`}</>
  }
  const values = states.map(({ value }) => value ?? Number.POSITIVE_INFINITY)
  const worst = bad === 'above' ? Math.max(...values) : Math.min(...values)
  return <>{alertValueText(Number.isFinite(worst) ? worst : null, unit)}</>
}

const kinds: Readonly<Record<AlertNotice['kind'], { readonly tone: Tone; readonly word: string }>> = {
  fired: { tone: 'danger', word: 'began' },
  still: { tone: 'warn', word: 'lasts' },
  resolved: { tone: 'ok', word: 'ended' },
}

const noticeColumns: readonly TableColumn<AlertNotice>[] = [
  { id: 'at', title: 'When', width: 108, cell: ({ at }) => <Time at={at} /> },
  {
    id: 'kind',
    title: 'Alert',
    width: 84,
    cell: ({ kind }) => <Dot tone={kinds[kind].tone}>{kinds[kind].word}</Dot>,
  },
  {
    id: 'what',
    title: 'What',
    cell: ({ title, subject, detail }) => (
      <span title={detail ?? undefined}>
        {title}
        {subject !== '' && <span className="text-ink-2"> {subject}</span>}
      </span>
    ),
  },
  {
    id: 'value',
    title: 'Value',
    width: 100,
    align: 'right',
    from: 'narrow',
    cell: ({ value, unit }) => unit !== null && alertValueText(value, unit),
  },
  {
    id: 'sent',
    title: 'Sent',
    width: 108,
    from: 'narrow',
    cell: ({ sentAt, problem }) => {
      if (problem !== null)
        return (
          <span className="text-danger" title={problem}>
            not sent
          </span>
        )
      return sentAt === null ? <span className="text-ink-2">waits</span> : <Time at={sentAt} />
    },
  },
]

/** The alerts that are on, what is watched, where notices go, and what they said. */
export function AlertsView({ answer }: { readonly answer: AlertsAnswer }) {
  const firing = answer.rules.flatMap((rule) =>
    rule.states.filter(({ isFiring }) => isFiring).map((state): Alert => ({ ...state, rule })),
  )
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <section aria-label="Now" className="grid shrink-0 gap-2 border-line border-b p-4">
        {firing.length === 0 ? (
          <p className="text-lg">All that is watched is good.</p>
        ) : (
          <ul className="grid gap-3">
            {firing.map((alert) => (
              <Firing key={`${alert.rule.id} ${alert.subject}`} alert={alert} />
            ))}
          </ul>
        )}
        <Receivers answer={answer} />
      </section>
      <Table
        label="What is watched"
        columns={columns}
        rows={answer.rules}
        rowKey={({ id }) => id}
        className="flex-none"
      />
      <section aria-label="Notices" className="grid shrink-0 gap-2 pt-4">
        <h2 className="px-4 font-semibold">Notices</h2>
        {answer.notices.length === 0 ? (
          <p className="px-4 pb-4 text-ink-2">Nothing in the last 90 days.</p>
        ) : (
          <Table
            label="Notices of alerts"
            columns={noticeColumns}
            rows={answer.notices}
            rowKey={({ id }) => id}
            className="flex-none"
          />
        )}
      </section>
    </div>
  )
}

function Firing({ alert: { rule, subject, beganAt, value, detail } }: { readonly alert: Alert }) {
  return (
    <li className="grid gap-0.5">
      <p className="text-lg">
        <Dot tone="danger">{rule.title}</Dot>
        {subject !== '' && <span className="text-ink-2"> {subject}</span>}
      </p>
      <p className="wrap-anywhere max-w-[80ch] text-ink-2">
        {rule.unit !== 'down' && <>{alertValueText(value, rule.unit)}. </>}
        {detail}
        {beganAt !== null && (
          <>
            {' '}
            Since <Time at={beganAt} />.
          </>
        )}
      </p>
    </li>
  )
}

function Receivers({ answer: { mails, hasWebhook } }: { readonly answer: AlertsAnswer }) {
  if (mails === 0 && !hasWebhook)
    return (
      <div className="grid max-w-[80ch] grid-cols-[minmax(0,1fr)] gap-2">
        <p className="text-warn">
          Notices are sent to no one: name an address for mails, or a webhook, in clew.toml and start again.
        </p>
        <Code text={'[alerts]\nmails = ["team@example.com"]'} copyLabel="Copy the settings" />
      </div>
    )
  const receivers = [
    ...(mails === 0 ? [] : [mails === 1 ? 'one address by mail' : `${mails} addresses by mail`]),
    ...(hasWebhook ? ['a webhook'] : []),
  ]
  return <p className="text-ink-2">Notices are sent to {receivers.join(' and ')}.</p>
}
