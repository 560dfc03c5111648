/** The tab of a domain about what becomes of mail to its addresses. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react';
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { Box, Button, Switch } from '../kit/basics';
import { TextField } from '../kit/fields';
import { Form, rules, useFields } from '../kit/form';
import kit from '../kit/kit.module.css';
import { Confirm } from '../kit/layers';
import { Empty, Failed, Loading } from '../kit/page';
import { explained, Rest } from '../kit/problems';
import { Table, type Column } from '../kit/table';
import { isSending } from '../words/status';
import css from './domain.module.css';
import { ForwardTargets } from './forward-targets';
import { domainQuery } from './queries';
import {
  deleteRoute,
  matchOf,
  orderRoutes,
  routesQuery,
  updateRoute,
  type RouteMatch,
  type RouteRow,
} from './route-queries';
import {
  actions,
  addressAt,
  effects,
  keeps,
  moved,
  reasons,
  routesSentence,
  shadow,
  spamRules,
} from './routing';

const EditRoute = lazy(async () => ({ default: (await import('./route-dialog')).EditRoute }));

type Open = { readonly dialog: 'edit' | 'delete'; readonly route: RouteRow | null };

export function Routes({ id }: { id: string }) {
  const client = useQueryClient();
  const domain = useQuery(domainQuery(id)).data?.domain;
  const query = useQuery(routesQuery(id));
  const [open, setOpen] = useState<Open>();
  const [moving, setMoving] = useState(false);
  const [said, setSaid] = useState('');
  const [rest, setRest] = useState<string[]>([]);
  const routes = query.data;
  // A row that moves in the document takes the focus from its button.
  const focused = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    focused.current?.focus();
    focused.current = null;
  }, [routes]);
  if (!routes || !domain)
    return (
      <Box>
        {query.error ? (
          <Failed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading lines={4} />
        )}
      </Box>
    );
  const attempt = async (work: () => Promise<unknown>) => {
    setRest([]);
    try {
      await work();
    } catch (error) {
      setRest(explained(error, []).rest);
    }
  };
  const move = async (route: RouteRow, by: -1 | 1, button: HTMLElement) => {
    const ids = moved(
      routes.map((each) => each.id),
      route.id,
      by,
    );
    const place = ids.indexOf(route.id) + 1;
    if (moving || routes[place - 1] === route) return;
    setMoving(true);
    setSaid(`${route.pattern} is route ${place} of ${ids.length}`);
    focused.current = button;
    await attempt(() => orderRoutes(client, id, ids));
    setMoving(false);
  };
  const columns: Column<RouteRow>[] = [
    { head: 'No.', cell: (route) => <span className={kit.num}>{routes.indexOf(route) + 1}</span> },
    {
      head: 'Mail to',
      grow: true,
      narrow: 1,
      cell: (route) => {
        const before = shadow(routes, routes.indexOf(route));
        return (
          <>
            <bdi className={kit.mono}>
              {route.pattern}
              <span className={kit.quiet}>@{domain.name}</span>
            </bdi>
            {before === undefined ? null : (
              <span className={css.never}> Never applies: route {before} matches first</span>
            )}
          </>
        );
      },
    },
    {
      head: 'Becomes',
      upTo: true,
      narrow: 3,
      cell: (route) => (
        <span className={kit.second} title={route.forwardTo.join(', ')}>
          {route.action === 'FORWARD' ? `Forward to ${route.forwardTo.join(', ')}` : actions[route.action]}
        </span>
      ),
    },
    {
      head: 'Spam',
      cell: (route) => (
        <span className={kit.second}>{keeps(route.action) ? spamRules[route.spam] : '–'}</span>
      ),
    },
    {
      head: 'Active',
      narrow: 2,
      cell: (route) => (
        <Switch
          on={route.active}
          label={`Apply ${route.pattern}`}
          needs="DOMAINS"
          onChange={(active) => void attempt(() => updateRoute(client, id, { id: route.id, active }))}
        />
      ),
    },
    {
      head: 'Act',
      right: true,
      narrow: 4,
      needs: 'DOMAINS',
      cell: (route) => (
        <span className={css.acts}>
          {([-1, 1] as const).map((by) => (
            <Button
              key={by}
              kind="bare"
              small
              iconOnly
              icon={by < 0 ? ArrowUp : ArrowDown}
              aria-label={`Move ${route.pattern} ${by < 0 ? 'up' : 'down'}`}
              aria-disabled={routes.indexOf(route) === (by < 0 ? 0 : routes.length - 1)}
              onClick={(event) => void move(route, by, event.currentTarget)}
            />
          ))}
          <Button
            kind="bare"
            small
            iconOnly
            icon={Pencil}
            aria-label={`Edit ${route.pattern}`}
            onClick={() => setOpen({ dialog: 'edit', route })}
          />
          <Button
            kind="bare"
            small
            iconOnly
            icon={Trash2}
            aria-label={`Delete ${route.pattern}`}
            onClick={() => setOpen({ dialog: 'delete', route })}
          />
        </span>
      ),
    },
  ];
  const add = (
    <Button
      small={routes.length > 0}
      icon={Plus}
      needs="DOMAINS"
      onClick={() => setOpen({ dialog: 'edit', route: null })}
    >
      Add route
    </Button>
  );
  const close = () => setOpen(undefined);
  return (
    <>
      <p className={kit.say} role="status">
        <strong>{routesSentence(routes, domain.name)}</strong>{' '}
        {isSending(domain.status) ? null : 'Mail arrives once the domain is verified.'}
      </p>
      <span className={kit.hidden} role="status">
        {said}
      </span>
      <Rest of={rest} />
      <Box {...(routes.length > 0 ? { title: 'Routes', side: add } : { label: 'Routes' })}>
        {routes.length === 0 ? (
          <Empty title="No routes: all mail is kept">
            <p>
              Whatever address of {domain.name} somebody writes to, known or not, the mail is stored, listed
              in <Link to="/inbound">Inbound</Link>, and posted to webhooks. Add a route to refuse or drop
              mail to some addresses, or to all others.
            </p>
            {add}
          </Empty>
        ) : (
          <>
            <Table label="Routes" rows={routes} id={(route) => route.id} columns={columns} />
            <p className={css.note}>
              The first active route that matches an address applies. A change applies to new mail within five
              seconds.
            </p>
          </>
        )}
      </Box>
      <Box title="Test an address" padded>
        <Test domain={domain} routes={routes} />
      </Box>
      <ForwardTargets />
      <Suspense fallback={null}>
        {open?.dialog === 'edit' ? <EditRoute domain={domain} route={open.route} onClose={close} /> : null}
      </Suspense>
      {open?.dialog === 'delete' && open.route ? (
        <Confirm
          title={`Delete the route ${open.route.pattern}?`}
          verb="Delete"
          onClose={close}
          act={() => deleteRoute(client, id, open.route!.id)}
        >
          <p>Later routes then decide on its mail. Without one the mail is stored.</p>
        </Confirm>
      ) : null}
    </>
  );
}

/** Asks the server which route applies to an address, and says why. */
function Test({
  domain,
  routes,
}: {
  domain: { readonly id: string; readonly name: string };
  routes: readonly RouteRow[];
}) {
  const [found, setFound] = useState<{ address: string; match: RouteMatch; by: readonly RouteRow[] }>();
  const fields = useFields(
    { recipient: '' },
    { recipient: rules.required('an address') },
    async ({ recipient }) => {
      setFound(undefined);
      const address = addressAt(recipient, domain.name);
      setFound({ address, match: await matchOf(address), by: routes });
    },
  );
  // What was found is about the routes as they were.
  const shown = found?.by === routes ? found : undefined;
  return (
    <>
      <Form fields={fields} label="Test an address">
        <div className={css.test}>
          <TextField
            label="Address"
            placeholder={`support@${domain.name}`}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...fields.form.getInputProps('recipient')}
          />
          <Button type="submit" busy={fields.busy}>
            Test
          </Button>
        </div>
        <Rest of={fields.rest} />
      </Form>
      <div role="status" data-match>
        {shown ? (
          <div className={css.match}>
            <p>
              <strong>Mail to {shown.address}.</strong> {effects[shown.match.action]}{' '}
              {keeps(shown.match.action) && shown.match.spam !== 'MARK'
                ? `Spam is ${shown.match.spam === 'DROP' ? 'dropped' : 'refused'}.`
                : null}
            </p>
            {shown.match.domainId === domain.id ? (
              <ul>
                {reasons(routes, shown.match.route?.id ?? null, shown.address).map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            ) : (
              <p>
                The address is of{' '}
                <Link to="/domains/$id" params={{ id: shown.match.domainId }} search={{ tab: 'routes' }}>
                  another domain
                </Link>
                , whose routes decide.
              </p>
            )}
          </div>
        ) : null}
      </div>
    </>
  );
}
