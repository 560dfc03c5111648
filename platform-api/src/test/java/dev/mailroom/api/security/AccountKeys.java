package dev.mailroom.api.security;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.ApiKey;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.MemberRole;
import dev.mailroom.api.docs.Contract;
import tools.jackson.databind.JsonNode;

import static dev.mailroom.Await.await;

/** API keys of whole accounts, for tests. */
public final class AccountKeys {

	/** All permissions, as in the OpenAPI document. */
	public static final List<String> PERMISSIONS = Contract.written()
		.tree()
		.at("/components/schemas/Permission/enum")
		.valueStream()
		.map(JsonNode::stringValue)
		.toList();

	private AccountKeys() {
	}

	static ApiKey.Issued withAll(ApiKeys keys, UUID account) {
		return of(keys, account, PERMISSIONS.toArray(String[]::new));
	}

	/** A new key with permissions. */
	public static ApiKey.Issued of(ApiKeys keys, UUID account, String... permissions) {
		return await(keys.createForAccount(Scope.of(account), MemberRole.OWNER, UUID.randomUUID().toString(),
				new ArrayList<>(List.of(permissions)), null));
	}

}
