// Bundles modules of the server into few files, which load in half the time that one file each takes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'

/** Modules of `server/src` that something begins with: a command, a thread, a child process, a reference page. */
const entries = [
  /^cli\/(index|main)\.ts$/,
  /^cli\/[\w-]*reference\.ts$/,
  /^package\/index\.ts$/,
  /^change-worker\/worker\.ts$/,
  /(^|\/)(\w+-)?task\.ts$/,
  /\/child\/main\.ts$/,
  /^engines\/threads\/thread\.ts$/,
  /^services\/replay\/ingest\/recordings\.ts$/,
]
/** What runs inside Deno may read its own folder only, so its chunks are there. */
const runtime = 'services/functions/runtime'
/** Packages of so many small modules that they are bundled as well. */
const bundledPackages = /^(typebox|jose)(\/|$)/

/**
 * The files below a folder, as paths from there.
 *
 * @param {string} folder
 */
export const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))

/**
 * Bundles all that the server begins with.
 *
 * @param {{ source: string, base: string, output: string, addresses: string, further?: string[] }} place `server/src`; the
 *   folder whose structure the output has; where the output goes; the file in it that is imported as `#module-addresses`;
 *   further modules to begin with, by their paths
 * @returns {Promise<string[]>} the files that were written, as paths from the output
 */
export async function bundleServer({ source, base, output, addresses, further = [] }) {
  const modules = filesBelow(source).filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  const begun = modules.filter((path) => entries.some((entry) => entry.test(path)))
  const inDeno = modules.filter((path) => dirname(path) === runtime)
  const inSource = (paths) => paths.map((path) => join(source, path))
  mkdirSync(output, { recursive: true })
  const options = { base, output }
  const written = [
    ...(await bundle([...inSource(begun), ...further], { ...options, folder: '.' })),
    ...(await bundle(inSource(inDeno), { ...options, folder: relative(base, join(source, runtime)) })),
  ]
  const up = relative(dirname(join(output, addresses)), output)
  const path = up === '' ? 'path' : `\`${up}/\${path}\``
  mkdirSync(dirname(join(output, addresses)), { recursive: true })
  writeFileSync(
    join(output, addresses),
    `export const addressOfModule = (path) => new URL(${path}, import.meta.url).href\n`,
  )
  return [...written, addresses]
}

/** Bundles modules, whose shared parts become chunks in a folder below theirs. */
async function bundle(paths, { base, output, folder }) {
  const { metafile } = await build({
    entryPoints: paths,
    outbase: join(base, folder),
    outdir: join(output, folder),
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    absWorkingDir: output,
    metafile: true,
    legalComments: 'inline',
    logLevel: 'warning',
    plugins: [externalPackages, ownAddresses(base)],
  })
  return Object.keys(metafile.outputs)
}

/** What is installed beside the server stays there. */
const externalPackages = {
  name: 'external-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      const isBundled = bundledPackages.test(path) || (importer.includes('/node_modules/') && !path.startsWith('node:'))
      return isBundled ? undefined : { path, external: true }
    })
  },
}

/** A module knows its address as if it lay alone where its source does: folders beside it are found from there. */
const ownAddresses = (base) => ({
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/server\/(src|test)\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const own = `addressOfModule(${JSON.stringify(relative(base, path).replace(/\.ts$/, '.js'))})`
      const contents = `import { addressOfModule } from '#module-addresses'; ${text.replaceAll('import.meta.url', own)}`
      return { contents, loader: 'ts' }
    })
  },
})
