import { mails } from '../../mail.server'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = () => ({ mails })
