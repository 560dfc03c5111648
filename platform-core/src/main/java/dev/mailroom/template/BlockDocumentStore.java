package dev.mailroom.template;

import java.util.UUID;

import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the documents of blocks. */
@Repository
class BlockDocumentStore {

	private final DatabaseClient database;

	BlockDocumentStore(DatabaseClient database) {
		this.database = database;
	}

	Mono<Void> save(Scope scope, UUID id, BlockDocuments.Owner owner, UUID ownerId, String document, byte[] hash) {
		String sql = switch (owner) {
			// The newest version was written without its blocks, which follow its HTML.
			case TEMPLATE -> """
					with version as (
					    update template_version v set blocks = :document::jsonb
					     where template_id = :owner and account_id = :account
					       and number = (select max(number) from template_version
					                      where template_id = :owner and account_id = :account)
					       and sha256(convert_to(coalesce(html_content, ''), 'UTF8')) = :hash)
					insert into block_document (id, account_id, template_id, document, html_hash)
					values (:id, :account, :owner, :document::jsonb, :hash)
					on conflict (template_id) do update
					   set document = excluded.document, html_hash = excluded.html_hash
					""";
			case CAMPAIGN -> """
					insert into block_document (id, account_id, campaign_id, document, html_hash)
					values (:id, :account, :owner, :document::jsonb, :hash)
					on conflict (campaign_id) do update
					   set document = excluded.document, html_hash = excluded.html_hash
					""";
		};
		return this.database.sql(sql)
			.bind("id", id)
			.bind("account", scope.account())
			.bind("owner", ownerId)
			.bind("document", document)
			.bind("hash", hash)
			.then();
	}

	Mono<String> find(Scope scope, BlockDocuments.Owner owner, UUID ownerId, byte[] hash) {
		String sql = switch (owner) {
			case TEMPLATE -> """
					select document::text from block_document
					 where template_id = :owner and account_id = :account and html_hash = :hash
					""";
			case CAMPAIGN -> """
					select document::text from block_document
					 where campaign_id = :owner and account_id = :account and html_hash = :hash
					""";
		};
		return this.database.sql(sql)
			.bind("account", scope.account())
			.bind("hash", hash)
			.bind("owner", ownerId)
			.mapValue(String.class)
			.one();
	}

}
