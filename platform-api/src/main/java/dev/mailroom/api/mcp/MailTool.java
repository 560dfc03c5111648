package dev.mailroom.api.mcp;

import java.time.Clock;
import java.time.Duration;

import dev.mailroom.Scope;
import dev.mailroom.api.email.SendEmail;
import dev.mailroom.api.http.CanonicalJson;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.accept.Claim;
import dev.mailroom.mail.accept.Idempotency;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.SendResult;
import dev.mailroom.mail.accept.Submissions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.stereotype.Component;

/**
 * The tool that sends a mail. The same arguments send one mail within ten minutes, since
 * a client repeats a call whose response it did not get.
 */
@Component
class MailTool {

	static final String NAME = "send_email";

	private static final String ROUTE = "POST /mcp " + NAME;

	private static final String KEY = "idempotency_key";

	private static final Duration WINDOW = Duration.ofMinutes(10);

	/** Recipients of a mail that needs no confirmation. */
	private static final int MAX_UNCONFIRMED = 5;

	private final Submissions submissions;

	private final Idempotency idempotency;

	private final Transactions transactions;

	private final ToolConfirmations confirmations;

	private final JsonMapper json;

	private final Clock clock;

	MailTool(Submissions submissions, Idempotency idempotency, Transactions transactions,
			ToolConfirmations confirmations, JsonMapper json, Clock clock) {
		this.submissions = submissions;
		this.idempotency = idempotency;
		this.transactions = transactions;
		this.confirmations = confirmations;
		this.json = json;
		this.clock = clock;
	}

	Mono<ObjectNode> send(McpTool.Call call) {
		int recipients = call.arguments().path("to").size() + call.arguments().path("cc").size()
				+ call.arguments().path("bcc").size();
		if (recipients <= MAX_UNCONFIRMED) {
			ObjectNode mail = call.arguments().deepCopy();
			mail.remove(ToolConfirmations.ARGUMENT.name());
			return sent(call.with(mail));
		}
		ObjectNode would = this.json.createObjectNode();
		would.put("recipients", recipients);
		would.put("from", call.text("from"));
		would.put("subject", call.text("subject"));
		return this.confirmations.confirmed(NAME, call, "", would, this::sent);
	}

	private Mono<ObjectNode> sent(McpTool.Call call) {
		Scope scope = call.caller().scope();
		ObjectNode mail = call.arguments();
		@Nullable JsonNode key = mail.remove(KEY);
		String hash = CanonicalJson.hash(this.json.writeValueAsBytes(mail));
		Mono<Claim> claim = (key != null) ? Mono.just(new Claim(scope.account(), ROUTE, key.asString(""), hash))
				: ofWindow(scope, hash);
		return claim
			.flatMap((claimed) -> this.submissions.send(Channel.MCP, scope, SendEmail.read(mail, this.json), claimed))
			.map(this::result);
	}

	/**
	 * The claim of a call without a key: that of the window before, if it sent this mail.
	 */
	private Mono<Claim> ofWindow(Scope scope, String hash) {
		long window = this.clock.instant().getEpochSecond() / WINDOW.toSeconds();
		Claim current = new Claim(scope.account(), ROUTE, "arguments " + window + " " + hash, hash);
		Claim before = new Claim(scope.account(), ROUTE, "arguments " + (window - 1) + " " + hash, hash);
		return this.transactions.in(scope, this.idempotency.find(before)).map((_) -> before).defaultIfEmpty(current);
	}

	private ObjectNode result(SendResult result) {
		ObjectNode sent = this.json.createObjectNode();
		sent.put("id", result.single().id().toString());
		sent.put("replayed", result.replayed());
		return sent;
	}

}
