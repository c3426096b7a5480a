/** One step of a plan, as PostgreSQL explains it. */
export interface PlanStep {
  /** `Index Scan`, with what it is on. */
  readonly title: string
  readonly on: string | null
  /** What it keeps of its rows, or joins them by. */
  readonly condition: string | null
  readonly depth: number
  readonly plannedRows: number
  /** Of all its runs; null where the statement was not run. */
  readonly rows: number | null
  /** Without the steps below, in milliseconds; in PostgreSQL's units of cost where the statement was not run. */
  readonly own: number
  /** Part of the whole, 0 to 1. */
  readonly part: number
  /** Whether no step takes more. */
  readonly isWorst: boolean
}

/** A plan in the order in which it is drawn: each step before those below it. */
export interface Plan {
  readonly steps: readonly PlanStep[]
  readonly isMeasured: boolean
  readonly planningMs: number | null
  readonly executionMs: number | null
}

interface Node {
  readonly [name: string]: unknown
}

/** Reads the answer of `explain (format json)`; null for one that is none. */
export function readPlan(json: string): Plan | null {
  const explained = parse(json)
  const root = isNode(explained?.Plan) ? explained.Plan : null
  if (explained === null || root === null) return null
  const isMeasured = typeof root['Actual Total Time'] === 'number'
  const found = stepsOf(root, 0, isMeasured)
  const whole = Math.max(totalOf(root, isMeasured), Number.EPSILON)
  const most = Math.max(...found.map(({ own }) => own))
  const worst = found.findIndex(({ own }) => own === most)
  return {
    steps: found.map((step, index) => ({
      ...step,
      part: Math.min(1, step.own / whole),
      isWorst: found.length > 1 && index === worst,
    })),
    isMeasured,
    planningMs: numberOf(explained['Planning Time']),
    executionMs: numberOf(explained['Execution Time']),
  }
}

type Found = Omit<PlanStep, 'part' | 'isWorst'>

function stepsOf(node: Node, depth: number, isMeasured: boolean): readonly Found[] {
  const below = Array.isArray(node.Plans) ? node.Plans.filter(isNode) : []
  const taken = below.reduce((sum, each) => sum + totalOf(each, isMeasured), 0)
  const actual = numberOf(node['Actual Rows'])
  const loops = numberOf(node['Actual Loops']) ?? 1
  const step: Found = {
    title: [textOf(node['Join Type']), textOf(node['Node Type'])].filter(Boolean).join(' '),
    on:
      textOf(node['Index Name']) ??
      textOf(node['Relation Name']) ??
      textOf(node['CTE Name']) ??
      textOf(node['Function Name']),
    condition: conditions.map((name) => textOf(node[name])).find((text) => text !== null) ?? null,
    depth,
    plannedRows: numberOf(node['Plan Rows']) ?? 0,
    rows: actual === null ? null : actual * loops,
    own: Math.max(0, totalOf(node, isMeasured) - taken),
  }
  return [step, ...below.flatMap((each) => stepsOf(each, depth + 1, isMeasured))]
}

const conditions = ['Filter', 'Index Cond', 'Hash Cond', 'Merge Cond', 'Join Filter', 'Recheck Cond']

/** A step with those below it. PostgreSQL tells the time of one run of it. */
function totalOf(node: Node, isMeasured: boolean): number {
  if (!isMeasured) return numberOf(node['Total Cost']) ?? 0
  return (numberOf(node['Actual Total Time']) ?? 0) * (numberOf(node['Actual Loops']) ?? 1)
}

function parse(json: string): Node | null {
  try {
    const [first]: unknown[] = [JSON.parse(json)].flat()
    return isNode(first) ? first : null
  } catch {
    return null
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
