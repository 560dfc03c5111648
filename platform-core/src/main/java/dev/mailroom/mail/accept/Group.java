package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.mail.accept.SendPolicy.Lookup;
import dev.mailroom.mail.accept.SendPolicy.Sender;
import dev.mailroom.mail.accept.SendPolicy.SenderStatus;
import dev.mailroom.mail.accept.SendPolicy.SuppressionKey;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.queue.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Requests that share a transaction; each has its own result. A request with the same
 * Idempotency-Key as an earlier one of the group is a follower: it is completed with the
 * result of that one, its leader.
 */
final class Group {

	private final List<Member> members = new ArrayList<>();

	private final Map<Claim.Name, Member> leaders = new LinkedHashMap<>();

	private final List<WaitingRequest> followers = new ArrayList<>();

	private List<Lease> due = List.of();

	private volatile boolean written;

	Group(List<WaitingRequest> requests) {
		requests.forEach(this::add);
	}

	private void add(WaitingRequest waiting) {
		@Nullable Claim claim = waiting.request().claim();
		if (claim != null && this.leaders.containsKey(claim.name())) {
			this.followers.add(waiting);
			return;
		}
		Member member = new Member(waiting);
		this.members.add(member);
		if (claim != null) {
			this.leaders.put(claim.name(), member);
		}
	}

	/**
	 * Records that the statements succeeded and the commit begins.
	 * @param announced its deliveries that are due, if they are few
	 */
	void written(List<Lease> announced) {
		this.due = announced;
		this.written = true;
	}

	/** Its deliveries that are due; empty if they are more than a few. */
	List<Lease> due() {
		return this.due;
	}

	/** Whether the commit was begun: its outcome is unknown if it then fails. */
	boolean isWritten() {
		return this.written;
	}

	Set<UUID> accounts() {
		return this.members.stream().map((member) -> member.request().accountId()).collect(Collectors.toSet());
	}

	Set<Sender> senders() {
		return this.members.stream().flatMap(Member::senders).collect(Collectors.toSet());
	}

	/** The keys under which the recipients would be suppressed. */
	Set<SuppressionKey> recipients() {
		return this.members.stream().flatMap(Member::recipients).collect(Collectors.toSet());
	}

	/** Applies the policy, and creates the emails of the requests that may be sent. */
	void check(Lookup lookup, NoArgGenerator ids, Instant now) {
		for (Member member : this.members) {
			member.check(lookup.senders());
			if (member.isOpen()) {
				member.createEmails(ids, now, lookup.suppressed());
			}
		}
	}

	/**
	 * The keys of the group, each with the result that its request will have if it is not
	 * refused.
	 */
	Map<Claim, StoredResponse> claims() {
		Map<Claim, StoredResponse> claims = new LinkedHashMap<>();
		for (Member member : this.leaders.values()) {
			@Nullable Claim claim = member.request().claim();
			if (claim != null) {
				claims.put(claim, member.isOpen() ? member.result().stored() : StoredResponse.NONE);
			}
		}
		return claims;
	}

	void claimed(Map<Claim.Name, Claimed> claimed) {
		this.leaders.forEach((name, member) -> member.claimed(claimed.getOrDefault(name, new Claimed.Fresh())));
	}

	/** Quota that the requests of some accounts need. */
	List<Quotas.Reservation> reservations(Predicate<UUID> accounts) {
		return reserving(accounts).flatMap((member) -> member.reservation().stream()).toList();
	}

	/**
	 * Takes the quota's refusals, one for each reservation of these accounts and in their
	 * order.
	 */
	void reserved(Set<UUID> accounts, List<Optional<Quotas.LimitReached>> refusals) {
		List<Member> reserving = reserving(accounts::contains).toList();
		for (int i = 0; i < reserving.size(); i++) {
			reserving.get(i).reserved(refusals.get(i));
		}
	}

	private Stream<Member> reserving(Predicate<UUID> accounts) {
		return open().stream()
			.filter((member) -> member.reservation().isPresent() && accounts.test(member.request().accountId()));
	}

	/** The limits that refused requests, one for each of these. */
	List<Quotas.LimitReached> limitsReached() {
		return this.members.stream().flatMap((member) -> member.limit().stream()).toList();
	}

	List<NewEmail> emails() {
		return open().stream().flatMap((member) -> member.emails().stream()).toList();
	}

	/** The keys that were claimed by requests that were then refused. */
	List<Claim> released() {
		return this.leaders.values()
			.stream()
			.filter(Member::wasRefusedHere)
			.map((member) -> member.request().claim())
			.toList();
	}

	/**
	 * Completes the requests after the commit.
	 * @return those that could not be completed and must be tried in another group
	 */
	List<WaitingRequest> complete() {
		this.members.forEach(Member::complete);
		return this.followers.stream().filter((follower) -> !completeFollower(follower)).toList();
	}

	private boolean completeFollower(WaitingRequest follower) {
		@Nullable Claim claim = follower.request().claim();
		@Nullable Member leader = (claim != null) ? this.leaders.get(claim.name()) : null;
		return leader != null && leader.completeFollower(follower);
	}

	private List<Member> open() {
		return this.members.stream().filter(Member::isOpen).toList();
	}

	/** One request of a group and its state within the group's transaction. */
	private static final class Member {

		private final WaitingRequest waiting;

		private @Nullable Refused refused;

		private Quotas.@Nullable LimitReached limit;

		private @Nullable SendResult replay;

		private boolean claimedHere;

		private Map<Sender, SenderStatus> statuses = Map.of();

		private List<MailCheck> mails = List.of();

		private final List<SendResult.MailResult> results = new ArrayList<>();

		private final List<NewEmail> emails = new ArrayList<>();

		Member(WaitingRequest waiting) {
			this.waiting = waiting;
		}

		SendRequest request() {
			return this.waiting.request();
		}

		/** Whether it is neither refused nor a retry of an earlier request. */
		boolean isOpen() {
			return this.refused == null && this.replay == null;
		}

		void claimed(Claimed claimed) {
			switch (claimed) {
				case Claimed.Fresh _ -> this.claimedHere = true;
				case Claimed.Completed(var response) -> {
					// It may have been sent before, when it was still valid.
					this.refused = null;
					this.replay = SendResult.replay(response);
				}
				case Claimed.Conflicting(var refused) -> this.refused = refused;
			}
		}

		/** Applies the policy, given the senders' status; an account may be gone. */
		void check(Map<Sender, SenderStatus> statuses) {
			this.statuses = statuses;
			this.refused = request().refusal(request().mails());
			if (this.refused == null) {
				this.refused = SendPolicy.checkRequest(senders().findFirst().map(statuses::get).orElse(null));
			}
			if (this.refused == null) {
				this.mails = request().mails().stream().map(this::check).toList();
			}
			if (this.refused == null) {
				this.refused = request().refusal(this.mails);
			}
		}

		private MailCheck check(MailCheck mail) {
			return switch (mail) {
				case MailCheck.Invalid invalid -> invalid;
				case MailCheck.Valid valid -> SendPolicy.checkMail(valid, status(valid.mail()));
			};
		}

		/** Quota that it needs; empty if nothing of it can be sent. */
		Optional<Quotas.Reservation> reservation() {
			long count = this.mails.stream().filter(MailCheck.Valid.class::isInstance).count();
			return (isOpen() && count > 0) ? Optional.of(new Quotas.Reservation(request().accountId(), count))
					: Optional.empty();
		}

		/** Takes the quota's refusal; empty if the reservation was granted. */
		void reserved(Optional<Quotas.LimitReached> refusal) {
			this.limit = refusal.orElse(null);
			this.refused = refusal.map(Quotas.LimitReached::refused).orElse(null);
		}

		/** The limit that refused it; empty if none did. */
		Optional<Quotas.LimitReached> limit() {
			return Optional.ofNullable(this.limit);
		}

		/** Creates the emails of its valid mails, and a result for each mail. */
		void createEmails(NoArgGenerator ids, Instant now, Set<SuppressionKey> suppressed) {
			for (MailCheck mail : this.mails) {
				switch (mail) {
					case MailCheck.Invalid(var reason) ->
						this.results.add(new SendResult.Rejected(reason.refusal(), reason.message()));
					case MailCheck.Valid(var checked, var uploaded) -> {
						NewEmail email = new NewEmail((uploaded != null) ? uploaded.emailId() : ids.generate(),
								request().accountId(), status(checked), request().channel(), request().submitter(),
								checked, now, suppressed, (uploaded != null) ? uploaded.parts() : List.of(),
								this.waiting.trace());
						this.emails.add(email);
						this.results.add(email.result());
					}
				}
			}
		}

		List<NewEmail> emails() {
			return this.emails;
		}

		/** The keys under which its recipients would be suppressed. */
		Stream<SuppressionKey> recipients() {
			UUID account = request().accountId();
			return request().mails()
				.stream()
				.flatMap((mail) -> (mail instanceof MailCheck.Valid valid) ? valid.mail().recipients().stream()
						: Stream.empty())
				.map((recipient) -> new SuppressionKey(account, EmailAddress.key(recipient)));
		}

		/** The senders of its mails, at least one. */
		Stream<Sender> senders() {
			Scope scope = request().scope();
			if (scope.domain() != null || valid().findAny().isEmpty()) {
				return Stream.of(Sender.of(scope, null));
			}
			return valid().map((mail) -> Sender.of(scope, mail.mail())).distinct();
		}

		private Stream<MailCheck.Valid> valid() {
			return request().mails()
				.stream()
				.filter(MailCheck.Valid.class::isInstance)
				.map(MailCheck.Valid.class::cast);
		}

		private SenderStatus status(CheckedMail mail) {
			return Objects.requireNonNull(this.statuses.get(Sender.of(request().scope(), mail)));
		}

		SendResult result() {
			return (this.replay != null) ? this.replay : new SendResult(List.copyOf(this.results), false);
		}

		/** Emits the result, or the refusal, to the request's subscriber. */
		void complete() {
			if (this.refused != null) {
				this.waiting.refuse(this.refused);
			}
			else {
				this.waiting.complete(result());
			}
		}

		/**
		 * Completes a later request of the group that has the same Idempotency-Key.
		 * @return false if this request was refused and the other has another body: the
		 * other must be tried on its own
		 */
		boolean completeFollower(WaitingRequest follower) {
			Claim own = Objects.requireNonNull(request().claim());
			boolean sameBody = own.bodyHash().equals(Objects.requireNonNull(follower.request().claim()).bodyHash());
			if (this.refused != null) {
				if (sameBody) {
					follower.refuse(this.refused);
				}
				return sameBody;
			}
			if (sameBody) {
				follower.complete(result().replay());
			}
			else {
				follower.refuse(Idempotency.reused());
			}
			return true;
		}

		/** Whether it claimed its key and was refused: the key must be released. */
		boolean wasRefusedHere() {
			return this.refused != null && this.claimedHere;
		}

	}

}
