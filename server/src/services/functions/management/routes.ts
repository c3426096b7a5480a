import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import type { KeptVersion } from '../kept/store.ts'
import type { ListedFunction } from '../registry/list.ts'
import type { WorkerUse } from '../worker/worker.ts'
import type { Management } from './management.ts'
import {
  FunctionFiles,
  FunctionInfo,
  FunctionList,
  FunctionProcesses,
  FunctionVersion,
  FunctionVersions,
} from './schemas.ts'
import { receiveUpload, type UploadLimits } from './upload.ts'

const tags = ['functions']
const Name = Type.String({ minLength: 1, maxLength: 64 })
const NameParams = Type.Object({ name: Name })
const Version = Type.Integer({ minimum: 1 })
const VersionQuery = Type.Object({ version: Type.Optional(Version) })

/** An operator's token may do what these routes do, so that the command line can. */
const config = { acceptsTokens: true }

/**
 * Functions in the console, and for the command line: owners and developers see and change them, with an entry in the
 * audit log for each change.
 */
export function functionRoutes(
  management: Management,
  actions: OperatorActions,
  limits: UploadLimits,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    // A deployment is read as it comes, within limits of its own.
    app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))

    const list = { operationId: 'functions', tags, summary: 'Functions by name', response: { 200: FunctionList } }
    app.get('/functions', { schema: list, config }, async (request) => {
      actions.check(request, 'look')
      return { functions: (await management.list()).map(toInfo) }
    })

    const get = {
      operationId: 'getFunction',
      tags,
      summary: 'One function',
      params: NameParams,
      response: { 200: FunctionInfo },
    }
    app.get('/functions/:name', { schema: get, config }, async (request) => {
      actions.check(request, 'look')
      return toInfo(await management.get(request.params.name))
    })

    const deploy = {
      operationId: 'deployFunction',
      tags,
      summary: 'Deploy a function: a form with `metadata` and a `file` for each file, named by its path',
      consumes: ['multipart/form-data'],
      params: NameParams,
      response: { 201: FunctionVersion },
    }
    app.post('/functions/:name/versions', { schema: deploy, config }, async (request, reply) => {
      const { name } = request.params
      const action = { name: 'function.deploy', target: `function ${name}` }
      const contentType = request.headers['content-type'] ?? ''
      const version = await actions.run(request, action, () =>
        management.deploy(
          name,
          (folder) => receiveUpload(contentType, request.raw, folder, limits),
          operatorOf(request),
        ),
      )
      return reply.code(201).send(toVersion(version, version.number))
    })

    const remove = {
      operationId: 'deleteFunction',
      tags,
      summary: 'Delete a deployed function with its versions',
      params: NameParams,
      response: { 204: Type.Null() },
    }
    app.delete('/functions/:name', { schema: remove, config }, async (request, reply) => {
      const { name } = request.params
      const action = { name: 'function.delete', target: `function ${name}` }
      await actions.run(request, action, () => management.remove(name))
      return reply.code(204).send(null)
    })
    await app.register(versionRoutes(management, actions))
    await app.register(processRoutes(management, actions))
  }
}

/** The kept versions of functions, and their files. */
function versionRoutes(management: Management, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const versions = {
      operationId: 'functionVersions',
      tags,
      summary: 'The kept versions of a function, newest first',
      params: NameParams,
      response: { 200: FunctionVersions },
    }
    app.get('/functions/:name/versions', { schema: versions, config }, async (request) => {
      actions.check(request, 'look')
      const { name } = request.params
      const active = (await management.get(name)).version?.number ?? null
      return { versions: (await management.versions(name)).map((version) => toVersion(version, active)) }
    })

    const rollBack = {
      operationId: 'rollBackFunction',
      tags,
      summary: 'Have an earlier version answer; of a function of the project folder until the folder’s next change',
      params: NameParams,
      body: Type.Object({ version: Version }),
      response: { 200: FunctionVersion },
    }
    app.post('/functions/:name/rollback', { schema: rollBack, config }, async (request) => {
      const { name } = request.params
      const { version: number } = request.body
      const action = { name: 'function.rollback', target: `function ${name}, version ${number}` }
      const version = await actions.run(request, action, () => management.rollBack(name, number))
      return toVersion(version, version.number)
    })

    const files = {
      operationId: 'functionFiles',
      tags,
      summary: 'The files of a version; without a number of the one that answers',
      params: NameParams,
      querystring: VersionQuery,
      response: { 200: FunctionFiles },
    }
    app.get('/functions/:name/files', { schema: files, config }, async (request) => {
      actions.check(request, 'read data')
      return { files: [...(await management.files(request.params.name, request.query.version ?? null))] }
    })

    const content = {
      operationId: 'functionFile',
      tags,
      summary: 'A file of a version as it is',
      params: NameParams,
      querystring: Type.Object({
        version: Type.Optional(Version),
        path: Type.String({ minLength: 1, maxLength: 1024 }),
      }),
      response: { 200: Type.Any({ description: 'The bytes of the file' }) },
    }
    app.get('/functions/:name/file', { schema: content, config }, async (request, reply) => {
      actions.check(request, 'read data')
      const { version = null, path } = request.query
      const bytes = await management.content(request.params.name, version, path)
      return reply.type('application/octet-stream').header('content-disposition', 'attachment').send(bytes)
    })
  }
}

/** What a function's processes use. */
function processRoutes(management: Management, actions: OperatorActions): FastifyPluginAsyncTypebox {
  const processes = {
    operationId: 'functionProcesses',
    tags,
    summary: 'The processes of a function in this instance, with what they use',
    params: NameParams,
    response: { 200: FunctionProcesses },
  }
  return async (app) => {
    app.get('/functions/:name/processes', { schema: processes, config }, async (request) => {
      actions.check(request, 'look')
      const { name } = request.params
      await management.get(name)
      const { processes: found, memoryLimitBytes } = management.processes(name)
      return { memoryLimitBytes, processes: found.map(toProcess) }
    })
  }
}

const toProcess = ({ id, startedAt, calls, memoryBytes, cpuMs, isRetired }: WorkerUse) => ({
  ...{ id, calls, memoryBytes, cpuMs, isRetired },
  startedAt: startedAt.toISOString(),
})

function toInfo({ name, entry, verifyJwt, isInFolder, isPinned, version }: ListedFunction): FunctionInfo {
  const active = version && toVersion(version, version.number)
  return { name, entry, verifyJwt, isInFolder, isPinned, version: active }
}

function toVersion(
  { number, madeAt, madeBy, entry, verifyJwt, hash, sizeBytes }: KeptVersion,
  active: number | null,
): FunctionVersion {
  const isActive = number === active
  return { number, madeAt: madeAt.toISOString(), madeBy, entry, verifyJwt, hash, sizeBytes, isActive }
}
