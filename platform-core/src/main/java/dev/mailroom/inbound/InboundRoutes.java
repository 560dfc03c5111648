package dev.mailroom.inbound;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Routes of the domains of an account. A change applies to new mail within seconds. */
@Service
public class InboundRoutes {

	private static final int MAX_ROUTES = 100;

	private static final int MAX_TARGETS = 5;

	/**
	 * A local part without quotation marks (RFC 5321 4.1.2, RFC 6531), or its beginning.
	 */
	private static final Pattern PATTERN = Pattern.compile("\\*|[^\\p{Cntrl}\\s*@\"(),:;<>\\[\\]\\\\]{1,63}\\*?");

	private static final Refusal NOT_FOUND = Refusal.notFound("Inbound route not found");

	private static final Refusal LIMIT = Refusal.forbidden("Inbound route limit reached");

	private final InboundRouteStore store;

	private final Domains domains;

	private final Transactions transactions;

	private final Audits audits;

	private final NoArgGenerator ids;

	private final Clock clock;

	InboundRoutes(InboundRouteStore store, Domains domains, Transactions transactions, Audits audits,
			NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.domains = domains;
		this.transactions = transactions;
		this.audits = audits;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Lists the routes of a domain in their order.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<List<InboundRoute>> list(Scope scope, UUID domain) {
		return this.domains.find(scope, domain)
			.flatMap((_) -> this.transactions.in(scope, this.store.list(scope, domain).collectList()));
	}

	/**
	 * Adds a route after the others of its domain.
	 * @throws dev.mailroom.Refused {@code Invalid request data}, {@code Domain not found}
	 * or {@code Inbound route limit reached}
	 */
	public Mono<InboundRoute> create(Scope scope, InboundRoute.Form form) {
		return Mono.defer(() -> {
			@Nullable UUID domain = form.domainId();
			if (domain == null) {
				throw invalid("domain_id", "must be the id of a domain");
			}
			InboundRoute.Rule rule = rule(form, null);
			Mono<InboundRoute> created = locked(scope, domain).filter((routes) -> routes.size() < MAX_ROUTES)
				.switchIfEmpty(Mono.error(() -> LIMIT
					.because("A domain has at most " + MAX_ROUTES + " routes: delete one that is not needed")))
				.map((routes) -> routes.isEmpty() ? 1 : routes.getLast().position() + 1)
				.flatMap((position) -> known(scope,
						new InboundRoute(this.ids.generate(), scope.account(), domain, position, rule,
								!Boolean.FALSE.equals(form.active()),
								this.clock.instant().truncatedTo(ChronoUnit.MILLIS))))
				.flatMap(this.store::insert)
				.delayUntil(
						(route) -> this.audits.record(scope, Act.INBOUND_ROUTE_CREATED, route.id(), details(route)));
			return this.transactions.in(scope, created);
		});
	}

	/**
	 * Changes a route; its domain and its place stay.
	 * @throws dev.mailroom.Refused {@code Inbound route not found} or
	 * {@code Invalid request data}
	 */
	public Mono<InboundRoute> update(Scope scope, UUID id, InboundRoute.Form form) {
		Mono<InboundRoute> changed = this.store.find(scope, id)
			.flatMap((route) -> known(scope,
					new InboundRoute(id, scope.account(), route.domainId(), route.position(), rule(form, route.rule()),
							(form.active() != null) ? form.active() : route.active(), route.createdAt())))
			.flatMap(this.store::update)
			.delayUntil((route) -> this.audits.record(scope, Act.INBOUND_ROUTE_CHANGED, id, details(route)));
		return required(id, this.transactions.in(scope, changed));
	}

	/**
	 * Puts the routes of a domain in another order.
	 * @param order the ids of all routes of the domain
	 * @throws dev.mailroom.Refused {@code Domain not found} or
	 * {@code Invalid request data}
	 */
	public Mono<List<InboundRoute>> order(Scope scope, @Nullable UUID domain, @Nullable List<@Nullable UUID> order) {
		return Mono.defer(() -> {
			if (domain == null) {
				throw invalid("domain_id", "must be the id of a domain");
			}
			Mono<List<InboundRoute>> ordered = locked(scope, domain).flatMap((routes) -> {
				List<UUID> present = routes.stream().map(InboundRoute::id).toList();
				if (order == null || order.size() != present.size()
						|| !new HashSet<>(order).equals(Set.copyOf(present))) {
					throw invalid("ids", "must be the ids of all routes of the domain, each once");
				}
				List<UUID> sorted = present.stream().sorted(Comparator.comparingInt(order::indexOf)).toList();
				return this.store.order(scope, sorted)
					.then(this.audits.record(scope, Act.INBOUND_ROUTES_ORDERED, domain, Map.of("ids", sorted)))
					.then(Mono.defer(() -> this.store.list(scope, domain).collectList()));
			});
			return this.transactions.in(scope, ordered);
		});
	}

	/**
	 * Deletes a route.
	 * @throws dev.mailroom.Refused {@code Inbound route not found}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		Mono<String> deleted = this.store.delete(scope, id)
			.delayUntil(
					(pattern) -> this.audits.record(scope, Act.INBOUND_ROUTE_DELETED, id, Map.of("pattern", pattern)));
		return required(id, this.transactions.in(scope, deleted)).then();
	}

	/**
	 * Finds what applies to a recipient now.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if it is at no verified
	 * domain of the account
	 */
	public Mono<InboundRoute.Match> test(Scope scope, @Nullable String recipient) {
		return Mono.defer(() -> {
			EmailAddress address = Optional.ofNullable(recipient)
				.flatMap(EmailAddress::parse)
				.orElseThrow(() -> invalid("recipient", "must be an address"));
			Mono<InboundRoute.Match> match = this.store.domain(scope, address.domain())
				.flatMap((domain) -> this.store.list(scope, domain)
					.filter((route) -> route.active()
							&& InboundRoute.rule(List.of(route.rule()), address.toString()).isPresent())
					.next()
					.map((route) -> new InboundRoute.Match(domain, route))
					.defaultIfEmpty(new InboundRoute.Match(domain, null)));
			return this.transactions.in(scope, match)
				.switchIfEmpty(Mono.error(() -> invalid("recipient", "must be at a verified domain of the account")));
		});
	}

	/** Locks a domain and reads its routes. */
	private Mono<List<InboundRoute>> locked(Scope scope, UUID domain) {
		return this.store.lock(scope, domain)
			.switchIfEmpty(Mono.defer(() -> this.domains.find(scope, domain).map(Domain::id)))
			.flatMap((_) -> this.store.list(scope, domain).collectList());
	}

	/** The rule of a form; fields that it leaves out are those of the present one. */
	private static InboundRoute.Rule rule(InboundRoute.Form form, InboundRoute.@Nullable Rule present) {
		InboundRoute.Action action = (form.action() == null)
				? ((present != null) ? present.action() : InboundRoute.Action.STORE)
				: InboundRoute.Action.of(form.action())
					.orElseThrow(() -> invalid("action", "must be store, webhook, forward, reject or drop"));
		return new InboundRoute.Rule(
				(form.pattern() == null && present != null) ? present.pattern() : pattern(form.pattern()),
				(form.spam() == null) ? ((present != null) ? present.spam() : InboundRoute.Spam.MARK)
						: InboundRoute.Spam.of(form.spam())
							.orElseThrow(() -> invalid("spam", "must be mark, reject or drop")),
				action,
				forwarding(action, form, (present != null) ? present.forwarding() : InboundRoute.Forwarding.NONE));
	}

	private static InboundRoute.Forwarding forwarding(InboundRoute.Action action, InboundRoute.Form form,
			InboundRoute.Forwarding present) {
		InboundRoute.ForwardMode mode = (form.forwardMode() == null) ? present.mode()
				: InboundRoute.ForwardMode.of(form.forwardMode())
					.orElseThrow(() -> invalid("forward_mode", "must be rewrite or keep"));
		if (action != InboundRoute.Action.FORWARD) {
			if (form.forwardTo() != null && !form.forwardTo().isEmpty()) {
				throw invalid("forward_to", "must be empty unless the action is forward");
			}
			return new InboundRoute.Forwarding(List.of(), mode, List.of());
		}
		List<String> to = (form.forwardTo() == null) ? present.to() : targets(form.forwardTo());
		if (to.isEmpty() || to.size() > MAX_TARGETS) {
			throw invalid("forward_to", "must be 1 to " + MAX_TARGETS + " different addresses");
		}
		return new InboundRoute.Forwarding(to, mode, List.of());
	}

	/** The addresses, of several spellings of one mailbox only the first. */
	private static List<String> targets(List<@Nullable String> texts) {
		Map<String, String> targets = new LinkedHashMap<>();
		texts.stream()
			.map((text) -> Optional.ofNullable(text)
				.flatMap(EmailAddress::parse)
				.orElseThrow(() -> invalid("forward_to", "must be addresses")))
			.forEach((address) -> targets.putIfAbsent(address.key(), address.toString()));
		return List.copyOf(targets.values());
	}

	/** The route, unless it forwards to an address that nobody has named as a target. */
	private Mono<InboundRoute> known(Scope scope, InboundRoute route) {
		return this.store.unknownTargets(scope, route.rule().forwarding().to()).collectList().map((unknown) -> {
			if (!unknown.isEmpty()) {
				throw invalid("forward_to", "must be forward targets, or at verified domains of the account: "
						+ String.join(", ", unknown));
			}
			return route;
		});
	}

	private static String pattern(@Nullable String text) {
		String pattern = (text != null) ? text.strip().toLowerCase(Locale.ROOT) : "";
		if (!PATTERN.matcher(pattern).matches()) {
			throw invalid("pattern", "must be the part of an address before the at sign, or its beginning and *");
		}
		return pattern;
	}

	private static Map<String, Object> details(InboundRoute route) {
		return Map.of("domain_id", route.domainId(), "pattern", route.rule().pattern(), "spam",
				route.rule().spam().contractName(), "action", route.rule().action().contractName(), "forward_to",
				route.rule().forwarding().to(), "active", route.active());
	}

	private static <T> Mono<T> required(UUID id, Mono<T> result) {
		return result.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("There is no inbound route " + id)));
	}

	private static Refused invalid(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
	}

}
