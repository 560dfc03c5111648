package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.mail.accept.SendPolicy.Lookup;
import dev.mailroom.mail.accept.SendPolicy.Sender;
import org.jspecify.annotations.Nullable;

/**
 * Requests that share a transaction; each has its own result. A request with the same
 * Idempotency-Key as an earlier one of the group is a follower: it is completed with the
 * result of that one, its leader.
 */
final class Group {

	private final List<GroupMember> members = new ArrayList<>();

	private final Map<Claim.Name, GroupMember> leaders = new LinkedHashMap<>();

	private final List<WaitingRequest> followers = new ArrayList<>();

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
		GroupMember member = new GroupMember(waiting);
		this.members.add(member);
		if (claim != null) {
			this.leaders.put(claim.name(), member);
		}
	}

	/** Records that the statements succeeded and the commit begins. */
	void written() {
		this.written = true;
	}

	/** Whether the commit was begun: its outcome is unknown if it then fails. */
	boolean isWritten() {
		return this.written;
	}

	Set<UUID> accounts() {
		return this.members.stream().map((member) -> member.request().accountId()).collect(Collectors.toSet());
	}

	Set<Sender> senders() {
		return this.members.stream().map(GroupMember::sender).collect(Collectors.toSet());
	}

	/** The keys under which the recipients would be suppressed. */
	Set<SuppressionKey> recipients() {
		return this.members.stream().flatMap(GroupMember::recipients).collect(Collectors.toSet());
	}

	/** Applies the policy, and creates the emails of the requests that may be sent. */
	void check(Lookup lookup, NoArgGenerator ids, Instant now) {
		for (GroupMember member : this.members) {
			member.check(lookup.senders().get(member.sender()));
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
		for (GroupMember member : this.leaders.values()) {
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
	List<Reservation> reservations(Predicate<UUID> accounts) {
		return reserving(accounts).flatMap((member) -> member.reservation().stream()).toList();
	}

	/**
	 * Takes the quota's refusals, one for each reservation of these accounts and in their
	 * order.
	 */
	void reserved(Set<UUID> accounts, List<Optional<LimitReached>> refusals) {
		List<GroupMember> reserving = reserving(accounts::contains).toList();
		for (int i = 0; i < reserving.size(); i++) {
			reserving.get(i).reserved(refusals.get(i));
		}
	}

	private Stream<GroupMember> reserving(Predicate<UUID> accounts) {
		return open().stream()
			.filter((member) -> member.reservation().isPresent() && accounts.test(member.request().accountId()));
	}

	/** The limits that refused requests, one for each of these. */
	List<LimitReached> limitsReached() {
		return this.members.stream().flatMap((member) -> member.limit().stream()).toList();
	}

	List<NewEmail> emails() {
		return open().stream().flatMap((member) -> member.emails().stream()).toList();
	}

	/** The keys that were claimed by requests that were then refused. */
	List<Claim> released() {
		return this.leaders.values()
			.stream()
			.filter(GroupMember::wasRefusedHere)
			.map((member) -> member.request().claim())
			.toList();
	}

	/**
	 * Completes the requests after the commit.
	 * @return those that could not be completed and must be tried in another group
	 */
	List<WaitingRequest> complete() {
		this.members.forEach(GroupMember::complete);
		return this.followers.stream().filter((follower) -> !completeFollower(follower)).toList();
	}

	private boolean completeFollower(WaitingRequest follower) {
		@Nullable Claim claim = follower.request().claim();
		@Nullable GroupMember leader = (claim != null) ? this.leaders.get(claim.name()) : null;
		return leader != null && leader.completeFollower(follower);
	}

	private List<GroupMember> open() {
		return this.members.stream().filter(GroupMember::isOpen).toList();
	}

}
