/** The actions of the guides' own sign-in forms: what the user reads after a rejected sign-in. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, '.cache/guides/own-forms')

/** What the code of all guides imports, except for the library: `signIn` throws the error that its form names. */
const STUBS = `import * as errors from 'lib-auth/errors'
export const signIn = async (...args) => {
  const form = args.findLast((each) => each instanceof FormData || each?.username)
  const type = form instanceof FormData ? form.get('username') : form.username
  throw type in errors ? new errors[type]('No.') : new TypeError(type)
}
export const lib = { signIn }
export const data = (value, { status }) => [value.message, status]
export const Form = 'form'
export const useActionData = () => undefined
export const createServerFn = () => ({ validator: () => ({ handler: (work) => work }) })
`

/** How the code of a guide is called. Returns what the user reads, or where the user is redirected, and the status. */
type Enter = (module: Record<string, (...args: unknown[]) => unknown>, form: FormData) => unknown

interface OwnForm {
  readonly guide: string
  readonly code: (block: string) => string
  readonly enter: Enter
  readonly results: Readonly<Record<string, unknown>>
}

const [WRONG, LIMITED] = ['Wrong name or password.', 'Too many attempts. Try again later.']
const OTHER = 'The sign-in failed.'

const FORMS: readonly OwnForm[] = [
  {
    guide: 'astro',
    code: (block) => {
      const [, script = ''] = block.split('---\n')
      const imports = script.match(/^import .*$/gm) ?? []
      const work = script.replace(/^import .*$/gm, '')
      return `${imports.join('\n')}
export async function action(Astro) { ${work}; return [message, Astro.response.status] }`
    },
    enter: ({ action }, form) => {
      const request = { method: 'POST', formData: async () => form }
      return action?.({ request, response: {} })
    },
    results: {
      CredentialsSignin: [WRONG, 401],
      TooManyAttempts: [LIMITED, 429],
      MissingCSRF: [OTHER, 403],
    },
  },
  {
    guide: 'react-router',
    code: (block) => block,
    enter: ({ action }, form) => action?.({ request: { formData: async () => form } }),
    results: {
      CredentialsSignin: [WRONG, 401],
      TooManyAttempts: [LIMITED, 429],
      MissingCSRF: [OTHER, 403],
    },
  },
  {
    guide: 'tanstack-start',
    code: (block) => block,
    enter: ({ signInWithPassword }, form) => signInWithPassword?.({ data: form }),
    results: { CredentialsSignin: WRONG, TooManyAttempts: LIMITED, MissingCSRF: OTHER },
  },
  {
    guide: 'nuxt',
    code: (block) => `import { signIn } from './auth'
const defineEventHandler = (handler) => handler
const readBody = async (event) => Object.fromEntries(event)
const sendRedirect = (_event, url, status) => [url, status]
${block}`,
    enter: (module, form) => module['default']?.(form),
    results: {
      CredentialsSignin: ['/login?error=CredentialsSignin', 303],
      TooManyAttempts: ['/login?error=TooManyAttempts', 303],
    },
  },
]

/** The code of a guide as a module. */
async function load({ guide, code }: OwnForm): Promise<Parameters<Enter>[0]> {
  const text = readFileSync(join(ROOT, `docs/guides/${guide}.md`), 'utf8')
  const blocks = [...text.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const contents = code(blocks.find((block) => block.includes('SignInError')) ?? '')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'tsx' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    external: ['react/jsx-runtime'],
    plugins: [
      {
        name: 'stubs',
        setup(bundler) {
          bundler.onResolve({ filter: /^lib-auth\// }, () => ({
            path: join(ROOT, 'src/errors.ts'),
          }))
          bundler.onResolve(
            { filter: /^(?:\.\.?\/auth(?:\.server)?|react-router|@tanstack\/react-start)$/ },
            () => ({
              path: 'stubs',
              namespace: 'stubs',
            }),
          )
          bundler.onLoad({ filter: /./, namespace: 'stubs' }, () => ({
            contents: STUBS,
            resolveDir: ROOT,
          }))
        },
      },
    ],
  })
  mkdirSync(FOLDER, { recursive: true })
  const file = join(FOLDER, `${guide}.mjs`)
  writeFileSync(file, outputFiles[0]?.text ?? '')
  return import(file)
}

function formOf(username: string): FormData {
  const form = new FormData()
  form.set('username', username)
  return form
}

describe.each(FORMS)('$guide', (ownForm) => {
  const { enter, results } = ownForm
  let module: Parameters<Enter>[0]
  beforeAll(async () => {
    module = await load(ownForm)
  })

  test.each(Object.entries(results))('the form shows its text for %s', async (type, result) => {
    expect(await enter(module, formOf(type))).toEqual(result)
  })

  test('an error that is not one of the form is for the framework', async () => {
    const failing = Promise.resolve().then(() => enter(module, formOf('redirect')))
    await expect(failing).rejects.toThrow(TypeError)
  })
})

test('nuxt.md: the page shows a text for each error of its form', () => {
  const text = readFileSync(join(ROOT, 'docs/guides/nuxt.md'), 'utf8')
  for (const type of ['CredentialsSignin', 'TooManyAttempts'])
    expect(text).toContain(`['${type}', '`)
  expect(text).toContain("MESSAGES.get(error) ?? 'The sign-in failed.'")
})
