package dev.mailroom.template;

import java.util.Map;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.secret.Sha256;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Service;

/**
 * Blocks from which an editor wrote the HTML of a template or a campaign. They are known
 * by a hash of that HTML: whoever changes the HTML otherwise need not know of them.
 */
@Service
public class BlockDocuments {

	/** As long as the HTML may be. */
	private static final int MAX_LENGTH = 256 * 1024;

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

	private final BlockDocumentStore store;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final JsonMapper json;

	BlockDocuments(BlockDocumentStore store, Transactions transactions, NoArgGenerator ids, JsonMapper json) {
		this.store = store;
		this.transactions = transactions;
		this.ids = ids;
		this.json = json;
	}

	/**
	 * Checks the length of a document before its HTML is saved.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public void check(@Nullable Map<String, Object> document) {
		if (document != null && this.json.writeValueAsString(document).length() > MAX_LENGTH) {
			throw TemplateRefusals.invalid("blocks", "have more than " + MAX_LENGTH + " characters as JSON");
		}
	}

	/**
	 * Stores the document of a template or a campaign of the account.
	 * @param html the HTML that was written from it
	 */
	public Mono<Void> save(Scope scope, Owner owner, UUID id, Map<String, Object> document, @Nullable String html) {
		return this.transactions.in(scope, this.store.save(scope, this.ids.generate(), owner, id,
				this.json.writeValueAsString(document), hash(html)));
	}

	/**
	 * The document of a template or a campaign; empty if there is none, or if the HTML is
	 * not the one that was written from it.
	 */
	public Mono<Map<String, Object>> find(Scope scope, Owner owner, UUID id, @Nullable String html) {
		return this.transactions.in(scope, this.store.find(scope, owner, id, hash(html)))
			.map((text) -> this.json.readValue(text, OBJECT));
	}

	/** Stores the blocks of a draft that is published within the same transaction. */
	Mono<Void> save(Scope scope, UUID template, TemplateVersion.Stored draft) {
		@Nullable String document = draft.blocks();
		return (document == null) ? Mono.empty() : this.store.save(scope, this.ids.generate(), Owner.TEMPLATE, template,
				document, hash(draft.htmlContent()));
	}

	/** A document as JSON. */
	@Nullable String text(@Nullable Map<String, Object> document) {
		return (document != null) ? this.json.writeValueAsString(document) : null;
	}

	/** The document of a version or a draft; null if its HTML was written otherwise. */
	public @Nullable Map<String, Object> of(TemplateVersion.Stored version) {
		@Nullable String document = version.blocks();
		return (document != null) ? this.json.readValue(document, OBJECT) : null;
	}

	private static byte[] hash(@Nullable String html) {
		return Sha256.of((html != null) ? html : "");
	}

	/** Owner of a document. */
	public enum Owner {

		TEMPLATE, CAMPAIGN

	}

}
