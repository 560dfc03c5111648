/** The palette: jumps to pages, acts on the open thing, and finds mails, domains and what was opened lately. */
import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/Paper.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Building2, Globe, History, Keyboard, LogOut, Mail, MailSearch, Search, Zap, type LucideIcon } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { JumpDocument } from '../gen/graphql';
import { ICON, Status } from '../kit/basics';
import { Floating } from '../kit/floating';
import { recipients } from '../words/formats';
import { domainWord, emailWord } from '../words/status';
import { request } from './graphql';
import { recent, useOpenActs } from './open';
import { isConsole, pagesAt } from './pages';
import css from './palette.module.css';
import { progressQuery } from './queries';
import { session } from './session';

const [store, spotlight] = createSpotlight();

/** Shortest text that is searched for in the mails. */
const MIN_SEARCH = 3;

/** Properties of the scroll area inside the list, which the type of the list does not name. */
const focusable = { viewportProps: { tabIndex: 0 } };

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly detail?: string;
  readonly icon: LucideIcon;
  readonly right?: ReactNode;
  readonly act: () => void;
}

export default function Palette({ onClose, help }: { onClose: () => void; help: () => void }) {
  const [text, setText] = useState('');
  useEffect(() => { spotlight.open(); }, []);
  const groups = useGroups(text.trim(), help);
  const found = groups.some((group) => group.entries.length > 0);
  return (
    <Floating><Spotlight.Root store={store} query={text} onQueryChange={setText} onSpotlightClose={onClose} shortcut={null} maxHeight={420} scrollable radius={12} size={600}
      overlayProps={{ className: css.overlay! }} transitionProps={{ duration: 100 }} classNames={{ content: css.content! }} attributes={{ content: { 'aria-label': 'Search or jump to' } }}>
      <Spotlight.Search placeholder="Page, address, subject, domain or id" aria-label="Search or jump to" leftSection={<Search {...ICON} />} classNames={{ input: css.search! }} />
      <Spotlight.ActionsList {...focusable} classNames={{ actionsList: css.list! }}>
        {groups.map(({ name, entries }) => entries.length > 0 ? (
          <Spotlight.ActionsGroup key={name} label={name} classNames={{ actionsGroup: css.group! }}>
            {entries.map(({ id, text: label, detail, icon: Icon, right, act }) => (
              <Spotlight.Action key={id} onClick={act} classNames={{ action: css.action! }}>
                <Icon {...ICON} /><span className={css.text}>{label}{detail ? <small>{detail}</small> : null}</span>{right}
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        ) : null)}
        {found ? null : <Spotlight.Empty className={css.empty!}>Nothing matches. The search covers pages, domains and the newest 20,000 mails.</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root></Floating>
  );
}

function useGroups(text: string, help: () => void): readonly { name: string; entries: readonly Entry[] }[] {
  const navigate = useNavigate();
  const [search] = useDebouncedValue(text, 200);
  const acts = useOpenActs();
  const console = useRouterState({ select: (state) => isConsole(state.location.pathname) });
  const { data: progress } = useQuery({ ...progressQuery, enabled: !console });
  const { data: mails } = useQuery({
    queryKey: ['email', 'jump', search],
    queryFn: async () => (await request(JumpDocument, { search })).viewer!.emails.nodes,
    enabled: !console && search.length >= MIN_SEARCH,
  });
  const go = (to: string) => () => void navigate({ to });
  const matches = (entry: Entry) => entry.text.toLowerCase().includes(text.toLowerCase()) || entry.id.includes(text);
  const jumps: Entry[] = pagesAt(console ? '/operator' : '/').map((page) => ({ id: page.to, text: page.text, icon: page.icon, act: go(page.to) }));
  const own: Entry[] = [
    { id: 'shortcuts', text: 'Keyboard shortcuts', icon: Keyboard, act: help },
    { id: 'sign-out', text: 'Sign out', icon: LogOut, act: () => void session.signOut() },
  ];
  const open: Entry[] = acts.map((act) => ({ id: `act ${act.text}`, text: act.text, icon: Zap, act: act.act }));
  const lately: Entry[] = recent().map((entry) => ({ id: `recent ${entry.path}`, text: entry.text, icon: History, act: go(entry.path) }));
  const domains: Entry[] = (progress?.domains.nodes ?? []).map((domain) => ({
    id: domain.id, text: domain.name, icon: Globe, right: <Status word={domainWord(domain.status)} />, act: go(`/domains/${domain.id}`),
  }));
  const emails: Entry[] = (text.length >= MIN_SEARCH ? mails ?? [] : []).map((mail) => ({
    id: mail.id, text: recipients(mail.toEmails), detail: mail.subject, icon: Mail, right: <Status word={emailWord(mail.status, mail.lastEvent)} />, act: go(`/emails/${mail.id}`),
  }));
  const across: Entry[] = console && text.length >= MIN_SEARCH ? [
    { id: 'across accounts', text: 'Accounts', detail: text, icon: Building2, act: () => void navigate({ to: '/operator/accounts', search: { q: text } }) },
    { id: 'across mails', text: 'Mails of all accounts', detail: text, icon: MailSearch, act: () => void navigate({ to: '/operator/emails', search: { q: text } }) },
  ] : [];
  return [
    { name: 'Find', entries: across },
    { name: 'Mails', entries: console ? [] : emails },
    { name: 'Open page', entries: open.filter(matches) },
    { name: 'Recent', entries: text ? [] : lately },
    { name: 'Domains', entries: text && !console ? domains.filter(matches) : [] },
    { name: 'Pages', entries: [...jumps, ...own].filter(matches) },
  ];
}
