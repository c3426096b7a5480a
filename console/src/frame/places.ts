import type { LucideIcon } from 'lucide-react'
import {
  ArchiveRestore,
  BellRing,
  Bug,
  ChartNoAxesColumn,
  Clapperboard,
  Clock,
  CloudUpload,
  Database,
  FileStack,
  Flag,
  Flame,
  FlaskConical,
  Gauge,
  HardDrive,
  House,
  Inbox,
  Layers,
  Lightbulb,
  LockKeyhole,
  MessageCircleQuestionMark,
  MousePointerClick,
  Network,
  Radio,
  ScrollText,
  ShieldCheck,
  SquareFunction,
  SquareTerminal,
  Table2,
  UserRound,
  UserRoundCog,
  Users,
  Webhook,
} from 'lucide-react'

/** A screen of the rail. */
export interface Place {
  readonly to:
    | '/'
    | '/sessions'
    | '/heatmaps'
    | '/people'
    | '/events'
    | '/flags'
    | '/experiments'
    | '/errors'
    | '/surveys'
    | '/web-vitals'
    | '/data'
    | '/sql'
    | '/users'
    | '/mails'
    | '/storage'
    | '/functions'
    | '/realtime'
    | '/schema'
    | '/schema/migrations'
    | '/jobs'
    | '/queues'
    | '/webhooks'
    | '/vault'
    | '/requests'
    | '/advisor'
    | '/settings/privacy'
    | '/settings/team'
    | '/settings/exports'
    | '/settings/backups'
    | '/settings/disk'
    | '/settings/alerts'
    | '/audit'
  readonly label: string
  readonly icon: LucideIcon
  /** Pressed after `g` it leads here. */
  readonly key?: string
}

/** The screens that exist, in the three jobs people come for, what the database does by itself, and who may do what. */
export const places: readonly { readonly job: string; readonly screens: readonly Place[] }[] = [
  {
    job: 'Understand',
    screens: [
      { to: '/', label: 'Home', icon: House, key: 'h' },
      { to: '/sessions', label: 'Sessions', icon: Clapperboard, key: 's' },
      { to: '/heatmaps', label: 'Heat maps', icon: Flame },
      { to: '/people', label: 'People', icon: Users, key: 'p' },
      { to: '/events', label: 'Events', icon: MousePointerClick, key: 'e' },
      { to: '/flags', label: 'Flags', icon: Flag, key: 'f' },
      { to: '/experiments', label: 'Experiments', icon: FlaskConical },
      { to: '/errors', label: 'Errors', icon: Bug, key: 'x' },
      { to: '/surveys', label: 'Surveys', icon: MessageCircleQuestionMark },
      { to: '/web-vitals', label: 'Web vitals', icon: Gauge },
    ],
  },
  {
    job: 'Build',
    screens: [
      { to: '/data', label: 'Data', icon: Table2, key: 'd' },
      { to: '/schema', label: 'Schema', icon: Network, key: 'm' },
      { to: '/sql', label: 'SQL', icon: SquareTerminal, key: 'q' },
      { to: '/users', label: 'Auth', icon: UserRound, key: 'u' },
      { to: '/mails', label: 'Inbox', icon: Inbox, key: 'i' },
      { to: '/storage', label: 'Storage', icon: HardDrive, key: 'o' },
      { to: '/functions', label: 'Functions', icon: SquareFunction, key: 'n' },
      { to: '/realtime', label: 'Realtime', icon: Radio },
      { to: '/schema/migrations', label: 'Migrations', icon: FileStack },
    ],
  },
  {
    job: 'Integrations',
    screens: [
      { to: '/jobs', label: 'Jobs', icon: Clock },
      { to: '/queues', label: 'Queues', icon: Layers },
      { to: '/webhooks', label: 'Webhooks', icon: Webhook },
      { to: '/vault', label: 'Vault', icon: LockKeyhole },
    ],
  },
  {
    job: 'Answer',
    screens: [
      { to: '/requests', label: 'Requests', icon: ChartNoAxesColumn, key: 'r' },
      { to: '/advisor', label: 'Advisor', icon: Lightbulb, key: 'v' },
    ],
  },
  {
    job: 'Setup',
    screens: [
      { to: '/settings/privacy', label: 'Privacy', icon: ShieldCheck },
      { to: '/settings/team', label: 'Team', icon: UserRoundCog, key: 't' },
      { to: '/settings/exports', label: 'Exports', icon: CloudUpload },
      { to: '/settings/backups', label: 'Backups', icon: ArchiveRestore, key: 'b' },
      { to: '/settings/disk', label: 'Disk', icon: Database },
      { to: '/settings/alerts', label: 'Alerts', icon: BellRing },
      { to: '/audit', label: 'Audit log', icon: ScrollText, key: 'l' },
    ],
  },
]
