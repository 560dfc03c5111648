package dev.mailroom.account;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Permissions of API keys, each with the right that the role of a key's creator must
 * have. Reading requires none.
 */
public enum Permission {

	/** Sends mail, and reads emails, inbound mail and reputation. */
	EVERYTHING("send", Right.SEND),
	/** Sends, reschedules and cancels mail, and reads nothing. */
	SEND("emails.send", Right.SEND),
	/** Sends mail to recipients of the sandbox only. */
	SANDBOX("emails.sandbox", Right.SEND),
	/** Reads emails. */
	EMAILS_READ("emails.read", null),
	/** Reads inbound mail. */
	INBOUND_READ("inbound.read", null),
	/** Reads reputation. */
	ANALYTICS_READ("analytics.read", null),
	/** Reads domains. */
	DOMAINS_READ("domains.read", null),
	/** Changes domains. */
	DOMAINS_WRITE("domains.write", Right.DOMAINS),
	/** Reads and renders templates. */
	TEMPLATES_READ("templates.read", null),
	/** Changes templates. */
	TEMPLATES_WRITE("templates.write", Right.TEMPLATES),
	/** Reads contact books and contacts. */
	CONTACTS_READ("contacts.read", null),
	/** Changes contact books and contacts. */
	CONTACTS_WRITE("contacts.write", Right.CONTACTS),
	/** Reads campaigns. */
	CAMPAIGNS_READ("campaigns.read", null),
	/** Changes and pauses campaigns. */
	CAMPAIGNS_WRITE("campaigns.write", Right.CAMPAIGNS),
	/** Starts, schedules, resumes and tests campaigns. */
	CAMPAIGNS_SEND("campaigns.send", Right.CAMPAIGNS),
	/** Reads suppressions. */
	SUPPRESSIONS_READ("suppressions.read", null),
	/** Changes suppressions. */
	SUPPRESSIONS_WRITE("suppressions.write", Right.SUPPRESSIONS),
	/** Reads webhook endpoints and their calls. */
	WEBHOOKS_READ("webhooks.read", null),
	/** Changes webhook endpoints, and repeats calls. */
	WEBHOOKS_WRITE("webhooks.write", Right.WEBHOOKS),
	/** Reads the event feed. */
	EVENTS_READ("events.read", null),
	/** Reads the use of the plan. */
	USAGE_READ("usage.read", null);

	private static final String READ = ".read";

	private static final String WRITE = ".write";

	/** Those that the key of a domain may have; the key of an account may have all. */
	private static final Set<Permission> OF_DOMAIN_KEYS = Set.of(EVERYTHING, SEND, SANDBOX, EMAILS_READ, INBOUND_READ,
			ANALYTICS_READ);

	private static final Map<String, Permission> BY_NAME = Stream.of(values())
		.collect(Collectors.toUnmodifiableMap(Permission::contractName, (permission) -> permission));

	/** By permission, the names of those that include it. */
	private static final Map<Permission, Set<String>> HOLDERS = new EnumMap<>(Permission.class);

	static {
		for (Permission permission : values()) {
			HOLDERS.put(permission,
					Arrays.stream(values())
						.filter((other) -> other.includes(permission))
						.map(Permission::contractName)
						.collect(Collectors.toUnmodifiableSet()));
		}
	}

	private final String contractName;

	private final @Nullable Right right;

	Permission(String contractName, @Nullable Right right) {
		this.contractName = contractName;
		this.right = right;
	}

	/** The permission with a name of the contract; empty if there is none. */
	static Optional<Permission> parse(@Nullable String contractName) {
		return Optional.ofNullable(contractName).map(BY_NAME::get);
	}

	/** The names of the permissions that a key may have. */
	public static List<String> names(boolean ofAccount) {
		return Arrays.stream(values())
			.filter((permission) -> ofAccount || OF_DOMAIN_KEYS.contains(permission))
			.map(Permission::contractName)
			.toList();
	}

	/** The name in the database and in the API. */
	public String contractName() {
		return this.contractName;
	}

	/** The right that it stands for; empty if it only reads. */
	public Optional<Right> right() {
		return Optional.ofNullable(this.right);
	}

	/** Whether a key with these permissions has this one or one that includes it. */
	public boolean isHeldBy(Collection<String> held) {
		Set<String> holders = holders();
		for (String name : held) {
			if (holders.contains(name)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether a key with these permissions may submit mail to at least some recipients.
	 */
	public static boolean maySubmit(Collection<String> held) {
		return SEND.isHeldBy(held) || SANDBOX.isHeldBy(held);
	}

	/**
	 * Whether a key with these permissions may send to recipients of the sandbox only.
	 */
	static boolean isSandboxed(Collection<String> held) {
		return SANDBOX.isHeldBy(held) && !SEND.isHeldBy(held);
	}

	/** Whether a member with a role may give it to a key. */
	boolean mayBeGivenBy(MemberRole creator) {
		return this.right == null || this.right.permits(creator);
	}

	boolean isOfDomainKeys() {
		return OF_DOMAIN_KEYS.contains(this);
	}

	private Set<String> holders() {
		return HOLDERS.getOrDefault(this, Set.of());
	}

	/** Whether it permits what another one permits: writing includes reading. */
	private boolean includes(Permission other) {
		if (this == EVERYTHING) {
			return other != SANDBOX && OF_DOMAIN_KEYS.contains(other);
		}
		return this == other || (this.contractName.endsWith(WRITE)
				&& other.contractName.equals(this.contractName.replace(WRITE, READ)));
	}

}
