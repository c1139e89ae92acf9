//! Small games with what goes wrong in practice.

/// Names, texts in prefix syntax, and the last horizon that is worth asking for.
pub const TRAPS: &[(&str, u32, &str)] = &[
    (
        "starts won",
        1,
        "(role x) (role o) (init a) (<= terminal (true a)) (<= (goal x 100) (true a)) (legal x n) (legal o n)",
    ),
    (
        "starts lost",
        1,
        "(role x) (init a) (<= terminal (true a)) (<= (goal x 0) (true a)) (legal x n)",
    ),
    (
        "never ends",
        2,
        "(role x) (init a) (legal x n) (legal x m) (<= (next a) (does x n)) (goal x 100)",
    ),
    (
        "always over",
        1,
        "(role x) (init a) (legal x n) terminal (goal x 100)",
    ),
    (
        // The only winning move is not declared.
        "undeclared move",
        2,
        "(role x) (role o) (input x stay) (input o stay) (init s)
         (legal x stay) (legal x jump) (legal o stay)
         (<= (next (w ?m)) (does x ?m) (distinct ?m stay))
         (<= (next s) (does x stay))
         (<= terminal (not (true s))) (<= (goal x 100) (true (w jump)))",
    ),
    (
        // Names of the encoding, of clingo, and of neither; numbers that are not the same.
        "names",
        3,
        "(role x) (role a+b) (role random)
         (succ 7 007) (succ 007 99999999999) (succ 99999999999 -1) (count not) (ended |zX|)
         (init (at 7)) (init (_exists not))
         (<= (legal x (go ?n ?m)) (true (at ?n)) (succ ?n ?m))
         (<= (legal x rest) (true (at ?n)))
         (<= (legal a+b (hold ?c)) (count ?c))
         (<= (legal a+b 1st) (true (at 007)))
         (<= (legal random (dec_r ?n)) (succ ?n ?m))
         (<= (next (at ?m)) (does x (go ?n ?m)) (does a+b (hold not)))
         (<= (next (at ?n)) (does x rest) (true (at ?n)) (does random (dec_r ?k)) (distinct ?k 007))
         (<= (next (at 7)) (does a+b 1st))
         (<= (next (_exists ?y)) (true (_exists ?y)))
         (<= terminal (true (at 99999999999)))
         (<= (goal x 100) (true (at 99999999999)) (true (_exists not)))
         (<= (goal a+b 100) (true (at 007)))",
    ),
    (
        // p(X) of the state and p(X,Y) that is fixed; a state relation without arguments.
        "same name",
        3,
        "(role x) (role o) (p 0 1) (p 1 2) (p 2 0) (init (on 0))
         (<= (p ?a) (true (on ?a))) (<= p (p 2)) (<= (p ?a ?b ?c) (p ?a ?b) (p ?b ?c) (p ?a))
         (<= (legal x ?b) (p ?a) (p ?a ?b)) (<= (legal x stay) (p ?a)) (<= (legal o ?c) (p ?a ?b ?c)) (legal o stay)
         (<= (next (on ?b)) (does x ?b) (distinct ?b stay) (does o stay))
         (<= (next (on ?c)) (does x stay) (does o ?c) (distinct ?c stay))
         (<= (next (on ?a)) (does x stay) (does o stay) (true (on ?a)))
         (<= terminal p) (<= (goal x 100) p) (<= (goal o 100) (true (on 1)))",
    ),
    (
        "coalition",
        3,
        "(role a) (role b) (role c) (role random) (init (n 0))
         (nx 0 1) (nx 1 2) (nx 2 3)
         (<= (legal ?r up) (role ?r)) (<= (legal ?r down) (role ?r) (distinct ?r random))
         (<= (legal c skip) (true (n 1))) (<= (legal random hit) (true (n 1)))
         (<= ok (does a up) (does b up)) (<= ok (does a down) (does c skip)) (<= ok (does random hit))
         (<= (next (n ?m)) (true (n ?k)) (nx ?k ?m) ok)
         (<= (next (n ?k)) (true (n ?k)) (not ok))
         (<= terminal (true (n 2))) (<= (goal a 100) (true (n 2)))
         (<= (goal b 100) (true (n 2)) (not (true (n 0)))) (goal c 50)",
    ),
    (
        // What can be reached is decided inside one step.
        "recursion",
        3,
        "(role x) (role random) (init (e 1 2)) (v 1) (v 2) (v 3) (v 4)
         (<= (reach ?a ?b) (true (e ?a ?b))) (<= (reach ?a ?c) (reach ?a ?b) (reach ?b ?c))
         (<= (legal x (add ?a ?b)) (v ?a) (v ?b) (distinct ?a ?b) (not (reach ?a ?b)) (reach 1 ?a))
         (<= (legal x noop) (v ?a)) (<= (legal random (cut ?a ?b)) (true (e ?a ?b))) (legal random keep)
         (<= (next (e ?a ?b)) (does x (add ?a ?b)))
         (<= (next (e ?a ?b)) (true (e ?a ?b)) (not (does random (cut ?a ?b))))
         (<= terminal (reach 1 4)) (<= terminal (not (reach 1 1)) (not (reach 1 2)))
         (<= (goal x 100) (reach 1 4) (not (reach 4 1)))",
    ),
    (
        // Everybody still has a choice when the play is over, which happens before the horizon.
        "legal after the end",
        3,
        "(role x) (role o) (role random) (init a) (legal x n)
         (legal o p) (legal o q) (legal random h) (legal random t)
         (<= (next (w ?m)) (does random ?m)) (<= (next (l ?m)) (does o ?m)) (<= terminal (true (w ?m)))
         (<= (goal x 100) (true (w h))) (<= (goal o 100) (true (l q)))",
    ),
    (
        "spelling of 100",
        2,
        "(role x) (init a) (legal x n) (legal x m) (worth m 0100) (worth n 7)
         (<= (next (b ?v)) (does x ?m) (worth ?m ?v)) (<= terminal (true (b ?v))) (<= (goal x ?v) (true (b ?v)))",
    ),
];
