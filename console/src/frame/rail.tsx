import { Link } from '@tanstack/react-router'
import { KeyRound, LogOut, Monitor, Moon, PanelLeftClose, PanelLeftOpen, Sun } from 'lucide-react'
import { lazy, type ReactElement, Suspense } from 'react'
import { useLostSince } from '../lib/api/connection.ts'
import type { Instance, Operator, Presence } from '../lib/api/schemas.ts'
import type { Theme } from '../lib/theme.ts'
import { Button, buttonClasses } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { ClewMark } from './clew-mark.tsx'
import { places } from './places.ts'

interface RailProps {
  readonly instance: Instance | undefined
  readonly presence: Presence | undefined
  readonly operator: Operator | undefined
  readonly theme: Theme
  readonly collapsed: boolean
  /** In a narrow window the rail is a sheet: nothing to collapse. */
  readonly onCollapse?: ((collapsed: boolean) => void) | undefined
  readonly onTheme: (theme: Theme) => void
  readonly onSignOut: () => void
  readonly onGo?: (() => void) | undefined
}

// Only the collapsed rail, which shows no words, needs it: the first screen does not wait for it.
const Tooltip = lazy(async () => ({ default: (await import('../ui/tooltip.tsx')).Tooltip }))

const nextTheme = { system: 'light', light: 'dark', dark: 'system' } as const
const themeIcon = { system: Monitor, light: Sun, dark: Moon }

/** The links to every screen, how many people are here now, and what concerns the operator alone. */
export function Rail(props: RailProps) {
  const { instance, presence, collapsed, onCollapse, onGo } = props
  return (
    <nav aria-label="Screens" className="flex h-full flex-col gap-px overflow-y-auto px-2 py-3">
      <Top project={instance?.project ?? 'Clew'} collapsed={collapsed} onCollapse={onCollapse} />
      {places.map(({ job, screens }) => (
        <div key={job} className="grid gap-px">
          {collapsed ? (
            <hr className="mx-2 my-2 border-line" />
          ) : (
            <h2 className="px-2 pt-3 pb-1 font-medium text-ink-2 text-xs tracking-[0.02em]">{job}</h2>
          )}
          {screens.map((screen) => (
            <ScreenLink
              key={screen.to}
              screen={screen}
              count={screen.to === '/sessions' ? presence?.sessionsToday : undefined}
              collapsed={collapsed}
              onGo={onGo}
            />
          ))}
        </div>
      ))}
      <Foot {...props} />
    </nav>
  )
}

interface TopProps extends Pick<RailProps, 'collapsed' | 'onCollapse'> {
  readonly project: string
}

function Top({ project, collapsed, onCollapse }: TopProps) {
  return (
    <>
      <div className={classes('flex h-7 items-center gap-2', collapsed ? 'justify-center' : 'pr-0.5 pl-2')}>
        <ClewMark />
        {!collapsed && <span className="min-w-0 flex-1 truncate font-semibold">{project}</span>}
        {onCollapse && !collapsed && (
          <Button look="bare" size="icon" aria-label="Collapse the menu" onClick={() => onCollapse(true)}>
            <PanelLeftClose aria-hidden="true" className="size-4 text-ink-3" />
          </Button>
        )}
      </div>
      {onCollapse && collapsed && (
        <Button
          look="bare"
          size="icon"
          aria-label="Expand the menu"
          className="mx-auto mt-2"
          onClick={() => onCollapse(false)}
        >
          <PanelLeftOpen aria-hidden="true" className="size-4 text-ink-3" />
        </Button>
      )}
    </>
  )
}

interface ScreenLinkProps extends Pick<RailProps, 'collapsed' | 'onGo'> {
  readonly screen: (typeof places)[number]['screens'][number]
  /** How many there are today. */
  readonly count: number | undefined
}

function ScreenLink({ screen: { to, label, icon: Icon }, count, collapsed, onGo }: ScreenLinkProps) {
  const isCounted = !collapsed && count !== undefined && count > 0
  return (
    <Hint text={label} collapsed={collapsed}>
      <Link
        to={to}
        onClick={onGo}
        aria-label={collapsed ? label : undefined}
        aria-description={isCounted ? `${count} today` : undefined}
        activeOptions={{ exact: to === '/' || to === '/schema' }}
        className={classes(
          'flex h-7 items-center rounded-control text-ink-2 transition-colors hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink dark:aria-[current=page]:bg-surface',
          collapsed ? 'justify-center' : 'gap-2 px-2',
        )}
      >
        {collapsed ? <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} /> : label}
        {isCounted && (
          <span aria-hidden="true" title={`${count} today`} className="tabular ml-auto font-normal text-ink-2">
            {count}
          </span>
        )}
      </Link>
    </Hint>
  )
}

interface HintProps {
  readonly text: string
  readonly collapsed: boolean
  readonly children: ReactElement
}

/** Says in the collapsed rail what an icon stands for. */
function Hint({ text, collapsed, children }: HintProps) {
  if (!collapsed) return children
  return (
    <Suspense fallback={children}>
      <Tooltip content={text} side="right">
        {children}
      </Tooltip>
    </Suspense>
  )
}

function Foot({ instance, presence, operator, theme, collapsed, onTheme, onSignOut, onGo }: RailProps) {
  const ThemeIcon = themeIcon[theme]
  const isLost = useLostSince() !== null
  // While nothing answers, the number of people here is not known.
  const people = isLost ? undefined : presence?.peopleNow
  const mode = instance === undefined ? '' : instance.mode === 'local' ? 'Local' : 'Production'
  const [themeHint, signOutHint] = [`Theme: ${theme}`, operator ? `Sign out ${operator.email}` : 'Sign out']
  return (
    <div
      className={classes(
        'mt-auto flex items-center border-line border-t pt-2 text-ink-2 text-sm',
        collapsed ? 'flex-col gap-1' : 'gap-0.5 pl-2',
      )}
    >
      {!collapsed && (
        <span className="min-w-0 flex-1 truncate" title="Distinct people seen within five minutes">
          {mode}
          {people !== undefined && ` · ${people} now`}
        </span>
      )}
      <Hint text={themeHint} collapsed={collapsed}>
        <Button
          look="bare"
          size="icon"
          aria-label={themeHint}
          title={collapsed ? undefined : themeHint}
          onClick={() => onTheme(nextTheme[theme])}
        >
          <ThemeIcon aria-hidden="true" className="size-3.5" />
        </Button>
      </Hint>
      <Hint text="Your access" collapsed={collapsed}>
        <Link
          to="/access"
          aria-label="Your access"
          title={collapsed ? undefined : 'Your access'}
          onClick={onGo}
          className={classes(buttonClasses('bare', 'icon'), 'aria-[current=page]:text-ink')}
        >
          <KeyRound aria-hidden="true" className="size-3.5" />
        </Link>
      </Hint>
      <Hint text={signOutHint} collapsed={collapsed}>
        <Button
          look="bare"
          size="icon"
          aria-label="Sign out"
          title={collapsed ? undefined : signOutHint}
          onClick={onSignOut}
        >
          <LogOut aria-hidden="true" className="size-3.5" />
        </Button>
      </Hint>
    </div>
  )
}
