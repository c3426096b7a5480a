import type { CaptureSetting } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { shownLines } from './setting-text.ts'

interface CaptureSettingsProps {
  readonly part: CaptureSetting['part']
  readonly settings: readonly CaptureSetting[]
  /** Absent for operators who may not change them. */
  readonly onChange: ((setting: CaptureSetting) => void) | undefined
}

interface ShownGroup {
  readonly group: CaptureSetting['group']
  readonly title: string
  readonly about: string
}

const groups: Readonly<Record<CaptureSetting['part'], readonly ShownGroup[]>> = {
  events: [
    {
      group: 'actions',
      title: 'What people do on pages',
      about: 'Elements of the class ph-no-capture are left out, and what is typed is never in an event.',
    },
    {
      group: 'experience',
      title: 'How pages do',
      about: 'What goes wrong in the browser, and how soon it shows and answers.',
    },
  ],
  recordings: [
    {
      group: 'sessions',
      title: 'Which sessions are recorded',
      about: 'All of them, a sample, or those in which something happens.',
    },
    {
      group: 'pages',
      title: 'What is left out of pages',
      about:
        'What is left out never leaves the browser. The classes ph-no-capture and ph-mask do it without a setting.',
    },
    { group: 'contents', title: 'What is recorded beside pages', about: 'Passwords and credentials never are.' },
  ],
}

/** What browsers are told to send, and where each part of it is said. */
export function CaptureSettingsView({ part, settings, onChange }: CaptureSettingsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
    <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
      <div className="mx-auto grid max-w-[720px] grid-cols-[minmax(0,1fr)] gap-4 px-4 py-6">
        <p className="text-ink-2">
          Browsers ask for these settings when a page is opened: a change needs no deployment. What your application
          says in posthog.init wins.{' '}
          {!onChange && 'An owner changes those that neither the environment nor a file says.'}
        </p>
        {groups[part].map(({ group, title, about }) => (
          <Card key={group} title={title} about={about}>
            <ul aria-label={title} className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line">
              {settings
                .filter((setting) => setting.group === group)
                .map((setting) => (
                  <SettingLine key={setting.name} setting={setting} onChange={onChange} />
                ))}
            </ul>
          </Card>
        ))}
      </div>
    </div>
  )
}

function SettingLine({
  setting,
  onChange,
}: { readonly setting: CaptureSetting } & Pick<CaptureSettingsProps, 'onChange'>) {
  const { title, description, costs, value, unit, pinned } = setting
  return (
    <li className="flex items-start gap-3 py-2.5">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex flex-wrap gap-x-3">
          <span className="font-medium">{title}</span>
          <span className="mono grid min-w-0">
            {shownLines(value, unit).map((line) => (
              <span key={line} className="wrap-anywhere">
                {line}
              </span>
            ))}
          </span>
        </span>
        <p className="text-ink-2">{description}</p>
        {costs !== null && <p className="text-ink-2">{costs}</p>}
        <Source setting={setting} />
      </div>
      {onChange && pinned === null && (
        <Button size="small" aria-label={`Change ${title}`} onClick={() => onChange(setting)}>
          Change…
        </Button>
      )}
    </li>
  )
}

/** Where a value is said, and where it is changed. */
function Source({ setting: { pinned, changed } }: { readonly setting: CaptureSetting }) {
  return (
    <p className="wrap-anywhere text-ink-2 text-sm">
      {pinned !== null ? (
        <>
          Fixed by <span className="mono">{pinned}</span>: change it there and restart.
        </>
      ) : changed !== null ? (
        <>
          Changed here by {changed.by}, <Time at={changed.at} />
        </>
      ) : (
        'The default'
      )}
    </p>
  )
}
