import {
  applyNodeChanges,
  Background,
  Controls,
  type Edge,
  MiniMap,
  type NodeChange,
  type NodeTypes,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import './diagram.css'
import { useEffect, useState } from 'react'
import type { DiagramTable } from '../../lib/api/schema.ts'
import { inBackground } from '../../lib/in-background.ts'
import { drawnColumns, heightOf, type Place, tableWidth } from './layout.ts'
import { type TableNode, TableNodeView } from './table-node.tsx'

interface DiagramCanvasProps {
  readonly tables: readonly DiagramTable[]
  readonly places: ReadonlyMap<string, Place>
  /** Tables of other names are dimmed. */
  readonly filter: string
  readonly onMove: (name: string, place: Place) => void
}

const nodeTypes: NodeTypes = { table: TableNodeView }
const fit = { padding: 0.15, maxZoom: 1 }
/** Smaller than this columns cannot be read: tables show their names alone, which is quicker to draw. */
const farZoom = 0.4

/** The tables and their references, to be moved, zoomed and looked through. */
export function DiagramCanvas(props: DiagramCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

function Canvas({ tables, places, filter, onMove }: DiagramCanvasProps) {
  const wanted = filter.trim().toLowerCase()
  const isFound = (name: string) => wanted === '' || name.toLowerCase().includes(wanted)
  const [nodes, setNodes] = useState<TableNode[]>(() => nodesOf(tables, places))
  const { fitView } = useReactFlow()
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < farZoom)
  const selected = new Set(nodes.filter((node) => node.selected).map(({ id }) => id))
  // The camera goes to what is found.
  useEffect(() => {
    const found = tables.filter(({ name }) => wanted !== '' && name.toLowerCase().includes(wanted))
    if (found.length === 0) return
    inBackground(fitView({ nodes: found.map(({ name }) => ({ id: name })), duration: 200, maxZoom: 1 }))
  }, [wanted, tables, fitView])
  const change = (changes: NodeChange<TableNode>[]) => setNodes((now) => applyNodeChanges(changes, now))
  return (
    <ReactFlow
      aria-label="Diagram"
      className="group/diagram bg-paper"
      data-far={isFar || undefined}
      nodes={nodes.map((node) => (isFound(node.id) ? node : { ...node, data: { ...node.data, isDim: true } }))}
      edges={edgesOf(tables, selected)}
      nodeTypes={nodeTypes}
      onNodesChange={change}
      onNodeDragStop={(_, node) => onMove(node.id, node.position)}
      onlyRenderVisibleElements
      nodesConnectable={false}
      deleteKeyCode={null}
      minZoom={0.02}
      maxZoom={2}
      fitView
      fitViewOptions={fit}
    >
      {!isFar && <Background color="var(--line)" />}
      <Controls showInteractive={false} />
      <MiniMap
        pannable
        ariaLabel="Overview"
        nodeColor="var(--line)"
        bgColor="var(--surface)"
        maskColor="transparent"
        className="max-sheet:hidden"
      />
    </ReactFlow>
  )
}

function nodesOf(tables: readonly DiagramTable[], places: ReadonlyMap<string, Place>): TableNode[] {
  const met = new Map<string, Set<string>>()
  for (const { references } of tables)
    for (const { table, foreignColumns } of references)
      for (const column of foreignColumns.slice(0, 1)) met.set(table, (met.get(table) ?? new Set()).add(column))
  return tables.map((table) => ({
    id: table.name,
    type: 'table',
    ariaLabel: labelOf(table),
    width: tableWidth,
    height: heightOf(table),
    position: places.get(table.name) ?? { x: 0, y: 0 },
    data: { table, met: met.get(table.name) ?? new Set(), isDim: false },
  }))
}

/** What is said of a table to those who do not see it. */
function labelOf({ name, columns, references }: DiagramTable): string {
  const named = references.length === 0 ? '' : `, references ${references.map(({ table }) => table).join(', ')}`
  return `${name}, ${columns.length} columns${named}`
}

function edgesOf(tables: readonly DiagramTable[], selected: ReadonlySet<string>): Edge[] {
  const drawn = new Map(tables.map((table) => [table.name, new Set(drawnColumns(table).map(({ name }) => name))]))
  return tables.flatMap((table) =>
    table.references.flatMap(({ name, columns: [column], table: to, schema, foreignColumns: [foreign] }): Edge[] => {
      const isDrawn = column !== undefined && foreign !== undefined && schema === table.schema
      if (!isDrawn || !drawn.get(table.name)?.has(column) || !drawn.get(to)?.has(foreign)) return []
      const isNear = selected.has(table.name) || selected.has(to)
      return [
        {
          id: `${table.name} ${name}`,
          source: table.name,
          sourceHandle: column,
          target: to,
          targetHandle: foreign,
          ariaLabel: `${table.name}.${column} references ${to}.${foreign}`,
          focusable: false,
          style: { stroke: isNear ? 'var(--thread)' : 'var(--ink-3)', strokeWidth: isNear ? 2 : 1 },
        },
      ]
    }),
  )
}
