package dev.mailroom.admin.email;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Scope;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.MailCampaign;
import dev.mailroom.mail.log.MailDelivery;
import dev.mailroom.mail.log.MailDetails;
import dev.mailroom.mail.log.MailSubmitter;
import dev.mailroom.mail.outcome.Attempts;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.webhook.Feed;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Details of emails, read for all emails of a list at once. */
@Controller
class EmailDetailResolver {

	private final MailDetails details;

	private final Feed feed;

	private final Domains domains;

	EmailDetailResolver(MailDetails details, Feed feed, Domains domains) {
		this.details = details;
		this.feed = feed;
		this.domains = domains;
	}

	@BatchMapping
	Mono<Map<Email, Collection<MailDelivery>>> deliveries(List<Email> emails) {
		return read(emails, this.details::deliveries);
	}

	@BatchMapping
	Mono<Map<Email, Collection<Attempts.Made>>> attempts(List<Email> emails) {
		return read(emails, this.details::attempts);
	}

	@SchemaMapping(typeName = "DeliveryAttempt")
	@Nullable String meaning(Attempts.Made attempt) {
		@Nullable String reply = attempt.reply();
		return (reply != null && attempt.outcome().equals("deferred")) ? Bounce.meaning(reply) : null;
	}

	@BatchMapping
	Mono<Map<Email, Collection<Feed.EmailEvent>>> events(List<Email> emails) {
		return read(emails, this.feed::ofEmails);
	}

	@BatchMapping
	Mono<Map<Email, Domain>> domain(List<Email> emails) {
		return Flux.fromIterable(byAccount(emails).entrySet())
			.concatMap((account) -> this.domains.findAll(Scope.of(account.getKey()),
					account.getValue().stream().map(Email::domainId).collect(Collectors.toSet())))
			.flatMapIterable((found) -> found)
			.collectMap(Domain::id)
			.map((byId) -> {
				Map<Email, Domain> domains = new HashMap<>();
				emails.stream()
					.filter((email) -> byId.containsKey(email.domainId()))
					.forEach((email) -> domains.put(email, Objects.requireNonNull(byId.get(email.domainId()))));
				return domains;
			});
	}

	@BatchMapping
	Mono<Map<Email, MailCampaign>> campaign(List<Email> emails) {
		return readOne(emails, this.details::campaigns);
	}

	@BatchMapping
	Mono<Map<Email, MailSubmitter>> acceptedBy(List<Email> emails) {
		return readOne(emails, this.details::submitters);
	}

	/** Reads a detail that not all emails have, with one query for each account. */
	private static <T> Mono<Map<Email, T>> readOne(List<Email> emails,
			BiFunction<Scope, Collection<UUID>, Mono<Map<UUID, T>>> reader) {
		return Flux.fromIterable(byAccount(emails).entrySet())
			.concatMap((account) -> reader.apply(Scope.of(account.getKey()),
					account.getValue().stream().map(Email::id).toList()))
			.collect(HashMap<UUID, T>::new, Map::putAll)
			.map((byId) -> {
				Map<Email, T> details = new HashMap<>();
				emails.stream()
					.filter((email) -> byId.containsKey(email.id()))
					.forEach((email) -> details.put(email, Objects.requireNonNull(byId.get(email.id()))));
				return details;
			});
	}

	/** Reads the details of all emails with one query for each account. */
	private static <T> Mono<Map<Email, Collection<T>>> read(List<Email> emails, Reader<T> reader) {
		return Flux.fromIterable(byAccount(emails).entrySet())
			.concatMap((account) -> reader
				.read(Scope.of(account.getKey()), account.getValue().stream().map(Email::id).toList())
				.map((byId) -> account.getValue()
					.stream()
					.collect(Collectors.toMap(Function.identity(),
							(email) -> byId.getOrDefault(email.id(), List.<T>of())))))
			.collectList()
			.map((all) -> {
				Map<Email, Collection<T>> details = new HashMap<>();
				all.forEach(details::putAll);
				return details;
			});
	}

	private static Map<UUID, List<Email>> byAccount(List<Email> emails) {
		return emails.stream().distinct().collect(Collectors.groupingBy(Email::accountId));
	}

	/** Reads details of emails of one account, by the id of the email. */
	@FunctionalInterface
	private interface Reader<T> {

		Mono<Map<UUID, Collection<T>>> read(Scope scope, Collection<UUID> ids);

	}

}
