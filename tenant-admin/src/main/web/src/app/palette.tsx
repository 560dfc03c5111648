/** The palette: jumps to pages, acts on the open thing, and finds mails, contacts, campaigns, templates, domains and what was opened lately. */
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
import {
  Building2,
  FileText,
  Globe,
  History,
  Keyboard,
  LogOut,
  Mail,
  MailSearch,
  Megaphone,
  Plus,
  Search,
  UserRound,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { JumpDocument, type Right } from '../gen/graphql';
import { ICON, Status } from '../kit/basics';
import { Floating } from '../kit/floating';
import { useRights } from '../kit/rights';
import { recipients } from '../words/formats';
import { campaignWord, domainWord, emailWord, subscriptionWord } from '../words/status';
import { request } from './graphql';
import { NEW } from './new';
import { recent, useOpenActs } from './open';
import { isConsole, pagesAt } from './pages';
import css from './palette.module.css';
import { progressQuery } from './queries';
import { session } from './session';

const [store, spotlight] = createSpotlight();

/** Shortest text that is searched for on the server. */
const MIN_SEARCH = 3;

/** Properties of the scroll area inside the list, which the type of the list does not name. */
const focusable = { viewportProps: { tabIndex: 0 } };

/** What can be created from any page. */
const creations: readonly { text: string; to: string; needs: Right }[] = [
  { text: 'New campaign', to: '/campaigns/compose', needs: 'CAMPAIGNS' },
  { text: 'Add domain', to: '/domains', needs: 'DOMAINS' },
  { text: 'Create API key', to: '/api-keys', needs: 'API_KEYS' },
  { text: 'Send test email', to: '/emails', needs: 'SEND' },
];

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
  useEffect(() => {
    spotlight.open();
  }, []);
  const { groups, empty } = useGroups(text.trim(), help);
  const found = groups.some((group) => group.entries.length > 0);
  return (
    <Floating>
      <Spotlight.Root
        store={store}
        query={text}
        onQueryChange={setText}
        onSpotlightClose={onClose}
        shortcut={null}
        maxHeight={420}
        scrollable
        radius={12}
        size={600}
        overlayProps={{ className: css.overlay! }}
        transitionProps={{ duration: 100 }}
        classNames={{ content: css.content! }}
        attributes={{ content: { 'aria-label': 'Search or go to…' } }}
      >
        <Spotlight.Search
          placeholder="Address, subject, name, id or page"
          aria-label="Search or go to…"
          leftSection={<Search {...ICON} />}
          classNames={{ input: css.search! }}
        />
        <Spotlight.ActionsList {...focusable} classNames={{ actionsList: css.list! }}>
          {groups.map(({ name, entries }) =>
            entries.length > 0 ? (
              <Spotlight.ActionsGroup key={name} label={name} classNames={{ actionsGroup: css.group! }}>
                {entries.map(({ id, text: label, detail, icon: Icon, right, act }) => (
                  <Spotlight.Action key={id} onClick={act} classNames={{ action: css.action! }}>
                    <Icon {...ICON} />
                    <span className={css.text}>
                      {label}
                      {detail ? <small>{detail}</small> : null}
                    </span>
                    {right}
                  </Spotlight.Action>
                ))}
              </Spotlight.ActionsGroup>
            ) : null,
          )}
          {found ? null : <Spotlight.Empty className={css.empty!}>{empty}</Spotlight.Empty>}
        </Spotlight.ActionsList>
      </Spotlight.Root>
    </Floating>
  );
}

/** What the palette offers for a text, and the sentence in the place of nothing. */
function useGroups(
  text: string,
  help: () => void,
): { groups: readonly { name: string; entries: readonly Entry[] }[]; empty: string } {
  const navigate = useNavigate();
  const [search] = useDebouncedValue(text, 200);
  const acts = useOpenActs();
  const console = useRouterState({ select: (state) => isConsole(state.location.pathname) });
  const here = useRouterState({ select: (state) => state.location.href });
  const { may } = useRights();
  const { data: progress } = useQuery({ ...progressQuery, enabled: !console });
  const server = !console && text.length >= MIN_SEARCH;
  const things = useQuery({
    queryKey: ['email', 'jump', search],
    queryFn: async () => (await request(JumpDocument, { search })).viewer!,
    enabled: server && search.length >= MIN_SEARCH,
  });
  const found = server ? things.data : undefined;
  const go = (to: string) => () => void navigate({ to });
  const matches = (entry: Entry) =>
    entry.text.toLowerCase().includes(text.toLowerCase()) || entry.id.includes(text);
  const jumps: Entry[] = pagesAt(console ? '/operator' : '/').map((page) => ({
    id: page.to,
    text: page.text,
    icon: page.icon,
    act: go(page.to),
  }));
  const own: Entry[] = [
    { id: 'shortcuts', text: 'Keyboard shortcuts', icon: Keyboard, act: help },
    { id: 'sign-out', text: 'Sign out', icon: LogOut, act: () => void session.signOut() },
  ];
  const open: Entry[] = acts.map((act) => ({
    id: `act ${act.text}`,
    text: act.text,
    icon: Zap,
    act: act.act,
  }));
  const lately: Entry[] = recent()
    .filter(({ path }) => path !== here)
    .map((entry) => ({
      id: `recent ${entry.path}`,
      text: entry.text,
      icon: History,
      act: go(entry.path),
    }));
  const created: Entry[] = console
    ? []
    : creations
        .filter(({ needs }) => may(needs))
        .map(({ text: name, to }) => ({
          id: `new ${to}`,
          text: name,
          icon: Plus,
          act: () => void navigate({ to, hash: to === '/campaigns/compose' ? '' : NEW }),
        }));
  const domains: Entry[] = (progress?.domains.nodes ?? []).map((domain) => ({
    id: domain.id,
    text: domain.name,
    icon: Globe,
    right: <Status word={domainWord(domain.status)} />,
    act: go(`/domains/${domain.id}`),
  }));
  const emails: Entry[] = (found?.emails.nodes ?? []).map((mail) => ({
    id: mail.id,
    text: recipients(mail.toEmails),
    detail: mail.subject,
    icon: Mail,
    right: <Status word={emailWord(mail.status, mail.lastEvent)} />,
    act: go(`/emails/${mail.id}`),
  }));
  const contacts: Entry[] = (found?.findContacts ?? []).map(({ contact, contactBookName }) => ({
    id: contact.id,
    text: contact.email,
    detail: contactBookName,
    icon: UserRound,
    right: <Status word={subscriptionWord(contact)} />,
    act: () =>
      void navigate({
        to: '/contacts/$id',
        params: { id: contact.contactBookId },
        search: { open: contact.id },
      }),
  }));
  const campaigns: Entry[] = (found?.campaigns.nodes ?? []).map(({ id, name, status }) => ({
    id,
    text: name,
    icon: Megaphone,
    right: <Status word={campaignWord(status)} />,
    act: go(`/campaigns/${id}`),
  }));
  const templates: Entry[] = (found?.templates.nodes ?? []).map(({ id, name, subject }) => ({
    id,
    text: name,
    ...(subject ? { detail: subject } : {}),
    icon: FileText,
    act: go(`/templates/${id}`),
  }));
  const across: Entry[] =
    console && text.length >= MIN_SEARCH
      ? [
          {
            id: 'across accounts',
            text: 'Accounts',
            detail: text,
            icon: Building2,
            act: () => void navigate({ to: '/operator/accounts', search: { q: text } }),
          },
          {
            id: 'across emails',
            text: 'Emails of all accounts',
            detail: text,
            icon: MailSearch,
            act: () => void navigate({ to: '/operator/emails', search: { q: text } }),
          },
        ]
      : [];
  const groups = [
    { name: 'Find', entries: across },
    { name: 'Emails', entries: emails },
    { name: 'Contacts', entries: contacts },
    { name: 'Campaigns', entries: campaigns },
    { name: 'Templates', entries: templates },
    { name: 'Open page', entries: open.filter(matches) },
    { name: 'Create', entries: created.filter(matches) },
    { name: 'Recent', entries: text ? [] : lately },
    { name: 'Domains', entries: text && !console ? domains.filter(matches) : [] },
    { name: 'Pages', entries: [...jumps, ...own].filter(matches) },
  ];
  const empty = !server
    ? `No match.${console ? '' : ` From ${MIN_SEARCH} characters on, emails, contacts, campaigns and templates are searched too.`}`
    : things.isError
      ? 'The search was not answered. Change the text to try again.'
      : search !== text || things.isPending
        ? 'Searching…'
        : 'No match. The search covers the newest 20,000 emails, contacts by the beginning of their address, and the names of campaigns, templates, domains and pages.';
  return { groups, empty };
}
