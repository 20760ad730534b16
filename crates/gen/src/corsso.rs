//! CorSSO: single sign-on with certificates from several servers.
//!
//! Cornell's single sign-on lets a service choose its policy: how many servers have to vouch for a user. A
//! user picks a policy, collects certificates, each of which takes more than `TA` (2), and gets access if
//! there are enough of them less than `TE` (10) after the beginning; then it starts again. There are two
//! policies, which ask for one certificate and for two. As a network of timed automata in `[YuWang2006]`.
//!
//! The property is that nobody has access with fewer certificates than the policy asks for, and it holds.
//!
//! Users do not interact at all, and still their clocks are compared: with Extra_LU+ the order in which they
//! reset them makes states differ: 61,948 of them for three users in breadth-first search, where with a_LU
//! 8,746 remain. How many are stored with Extra_LU+ depends on the order of the search, in this family alone.

use crate::family::{Family, Query};
use crate::known::Known;
use crate::known::row::{LUPL, alu, bfs, dfs, reach};
use crate::text::{each, fill};

pub(crate) const FAMILY: Family = Family {
    name: "corsso",
    summary: "CorSSO: users who collect certificates for a single sign-on",
    parameter: "number of users",
    sizes: 1..=1000,
    xta,
    tck,
    queries,
    known: KNOWN,
};

fn xta(n: u32) -> String {
    fill(XTA, &[("$N", n)])
}

fn tck(n: u32) -> String {
    fill(TCK, &[("$N", n)]) + &each(1, n, TCK_USER)
}

fn queries(_: u32) -> Vec<Query> {
    vec![
        Query::new(
            true,
            "Whoever has access has the certificates that the policy asks for.",
            "A[] forall (i : user_t) User(i).access imply User(i).certificates >= need[User(i).policy]",
        ),
        Query::new(true, "A user can get access.", "E<> User(1).access"),
        Query::new(
            true,
            "A user can get access by the stricter policy.",
            "E<> User(1).access && User(1).policy == POLICIES",
        ),
        Query::new(true, "All users can have access.", "E<> forall (i : user_t) User(i).access"),
    ]
}

const XTA: &str = r"// CorSSO: Cornell single sign-on.

const int N = $N;                               // how many users
const int TA = 2;                              // a certificate takes longer than this
const int TE = 10;                             // all of them have to be there before this
const int POLICIES = 2;
const int need[POLICIES + 1] = { 0, 1, 2 };    // certificates that each policy asks for; 0: none chosen

typedef int[1, N] user_t;
typedef int[1, POLICIES] policy_t;

process User(const user_t user) {
    clock x, y;
    int[0, 2] certificates = 0;
    int[0, POLICIES] policy = 0;

    state
        auth,
        access;

    init auth;

    trans
        auth -> auth {
            guard policy > 0 && x > TA && certificates < need[POLICIES];
            assign certificates = certificates + 1, x = 0;
        },
        auth -> auth {
            select p : policy_t;
            guard policy == 0;
            assign policy = p, certificates = 0, x = 0, y = 0;
        },
        auth -> access {
            select p : policy_t;
            guard y < TE && policy == p && certificates >= need[p];
        },
        access -> auth { assign policy = 0; };
}

system User;
";

const TCK: &str = r"# CorSSO: Cornell single sign-on, $N users.
# A user has access where access1 is found, or any other.

system:corsso_$N

event:tau
";

const TCK_USER: &str = r"
process:User$I
clock:1:x$I
clock:1:y$I
int:1:0:2:0:certificates$I
int:1:0:2:0:policy$I
location:User$I:auth{initial:}
location:User$I:access{labels: access$I}
edge:User$I:auth:auth:tau{provided: policy$I>0 && x$I>2 && certificates$I<2 : do: certificates$I=certificates$I+1; x$I=0}
edge:User$I:auth:auth:tau{provided: policy$I==0 : do: policy$I=1; certificates$I=0; x$I=0; y$I=0}
edge:User$I:auth:auth:tau{provided: policy$I==0 : do: policy$I=2; certificates$I=0; x$I=0; y$I=0}
edge:User$I:auth:access:tau{provided: y$I<10 && policy$I==1 && certificates$I>=1}
edge:User$I:auth:access:tau{provided: y$I<10 && policy$I==2 && certificates$I>=2}
edge:User$I:access:auth:tau{do: policy$I=0}
";

/// Stored, visited and transitions, in this order; with `reach` visited and transitions.
const KNOWN: &[Known] = &[
    reach(2, LUPL, 5_238, 12_638),
    bfs(2, LUPL, [573, 573, 1_480]),
    dfs(2, LUPL, [634, 891, 2_280]),
    alu(2, [265, 265, 692]),
    bfs(3, LUPL, [61_948, 64_378, 242_418]),
    dfs(3, LUPL, [79_303, 151_389, 574_395]),
    alu(3, [8_746, 8_746, 33_972]),
];
