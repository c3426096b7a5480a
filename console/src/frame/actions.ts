import type { NavigateOptions } from '@tanstack/react-router'
import type { Rights } from '../lib/rights.ts'
import type { Theme } from '../lib/theme.ts'

/** Something that is done, or a place outside the rail, found by its words. */
export interface Action {
  readonly label: string
  /** What it is found by beside its label. */
  readonly words?: string
  readonly at?: NavigateOptions
  readonly run?: 'sign out' | Theme
  /** Who may do it; everybody where it is absent. */
  readonly right?: keyof Rights
}

const actions: readonly Action[] = [
  {
    label: 'Invite a colleague',
    words: 'team operator member',
    at: { to: '/settings/team', search: { invite: true } },
    right: 'canManageTeam',
  },
  {
    label: 'Create a backup',
    words: 'back up now',
    at: { to: '/settings/backups', search: { create: true } },
    right: 'canChange',
  },
  { label: 'Slow statements', words: 'sql performance p95', at: { to: '/requests/slow' } },
  {
    label: 'Server logs',
    words: 'opentelemetry otlp log records',
    at: { to: '/requests/logs' },
    right: 'canChange',
  },
  {
    label: 'Ask why a request is answered so',
    words: 'policy empty rows',
    at: { to: '/requests/why' },
    right: 'canChange',
  },
  {
    label: 'Recording settings',
    words: 'sample mask block trigger canvas network console',
    at: { to: '/sessions/settings' },
    right: 'canLook',
  },
  {
    label: 'Capture settings',
    words: 'autocapture clicks dead exceptions heat maps web vitals',
    at: { to: '/events/settings' },
    right: 'canLook',
  },
  {
    label: 'Properties of events',
    words: 'column names definitions',
    at: { to: '/events/properties' },
    right: 'canLook',
  },
  { label: 'Set up a client', words: 'snippet connect supabase posthog install', at: { to: '/welcome' } },
  { label: 'Groups', words: 'companies teams accounts organisations', at: { to: '/groups' }, right: 'canLook' },
  { label: 'Cohorts', words: 'groups of people', at: { to: '/cohorts' } },
  { label: 'Your access', words: 'password passkey factor token account', at: { to: '/access' } },
  { label: 'Theme: light', words: 'appearance', run: 'light' },
  { label: 'Theme: dark', words: 'appearance', run: 'dark' },
  { label: 'Theme: of the system', words: 'appearance', run: 'system' },
  { label: 'Sign out', words: 'log out', run: 'sign out' },
]

/**
 * The actions that match a typed text and that an operator may perform. Each typed word must begin a word of the action.
 *
 * @param wanted in lower case; an empty text means none
 */
export function findActions(wanted: string, rights: Rights): readonly Action[] {
  const typed = wanted.split(/\s+/).filter((word) => word !== '')
  if (typed.length === 0) return []
  return actions.filter(({ label, words = '', right }) => {
    const known = `${label} ${words}`.toLowerCase().split(/[^a-z0-9]+/)
    return (right === undefined || rights[right]) && typed.every((word) => known.some((one) => one.startsWith(word)))
  })
}
