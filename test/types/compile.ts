/** Compiles an application and the types of the package with several versions of TypeScript. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type TypeScript from '../apps/typescript-5.4/node_modules/typescript/lib/typescript.js'

const require = createRequire(import.meta.url)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, '.cache/compilers')
const APPLICATION = join(ROOT, 'test/fixtures/typed-application')

/** What to compile: files of the application, and additional files. */
export interface Program {
  readonly name: string
  readonly files: readonly string[]
  readonly code?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, unknown>>
}

export interface Compilation {
  /** Errors in the application and in the types of the package, without those in peer dependencies. */
  readonly problems: string[]
  /** Number of type instantiations. */
  readonly instantiations: number
}

export type Compile = (program: Program) => Promise<Compilation> | Compilation

/** Writes a project, and returns its folder. */
function writeProject({ name, files, code = {}, options }: Program): string {
  const folder = join(FOLDER, name)
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(code)) writeFileSync(join(folder, file), text)
  const project = {
    extends: join(relative(folder, APPLICATION), 'tsconfig.json'),
    compilerOptions: options,
    files: [
      ...files.map((file) => join(relative(folder, APPLICATION), file)),
      ...Object.keys(code),
    ],
    include: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  return folder
}

/** Whether a file belongs to the application or the package; paths may be relative to a project. */
const isOurs = (file: string) => !file.includes('node_modules/')

/** Compiles with an older compiler as a library: checks only our files, because those of peer dependencies take long. */
export function compileWith(version: '5.4' | '6.0'): Compile {
  const ts: typeof TypeScript = require(`../apps/typescript-${version}/node_modules/typescript`)
  return (program) => {
    const folder = writeProject(program)
    const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), (file) =>
      ts.sys.readFile(file),
    )
    const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
    const compiled = ts.createProgram(fileNames, options)
    const found = compiled
      .getSourceFiles()
      .filter(({ fileName }) => isOurs(fileName))
      .flatMap((file) => ts.getPreEmitDiagnostics(compiled, file))
    const all = [...errors, ...found]
    const problems = all.map(({ file, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, ' ')
      return `${file ? relative(ROOT, file.fileName) : 'options'}: ${text}`
    })
    return { problems, instantiations: compiled.getInstantiationCount() }
  }
}

/** Compiles with the compiler of this repository, which is a program. */
export const compileWithOurs: Compile = async (program) => {
  const folder = writeProject(program)
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const args = [compiler, '-p', '.', '--pretty', 'false', '--extendedDiagnostics']
  const output = await new Promise<string>((resolve) => {
    const options = { cwd: folder, encoding: 'utf8' } as const
    execFile(process.execPath, args, options, (_error, stdout) => resolve(stdout))
  })
  const problems = [...output.matchAll(/^(?:(\S+)\(\d+,\d+\): )?error TS\d+: (.*(?:\n .*)*)/gm)]
    .filter(([, file = '']) => isOurs(file))
    .map(([, file, text]) => `${file ? relative(ROOT, join(folder, file)) : 'options'}: ${text}`)
  return { problems, instantiations: Number(/^Instantiations:\s+(\d+)$/m.exec(output)?.[1]) }
}
